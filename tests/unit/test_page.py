"""The page of a study: what it says, and that nothing in it comes from elsewhere or is executed."""

import base64
import gzip
import json
import re
import shutil

import pandas as pd
import pytest
from recorded import STUDY

from trainmark.analyse.compare import pairs
from trainmark.report.page import (
    charts,
    details,
    document,
    runs,
    study,
    values,
    verdicts,
)

TABLES = ["summary", "pairs", "latency"]
HOSTILE = "</script><script>window.taken = true</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def page(recorded, sources, drawings):
    tables = {**sources, "measurements": recorded}
    return study.html(tables, TABLES, drawings, read(STUDY), "snakemake")


def test_it_needs_no_network(page):
    elements = re.findall(r"<(?:script|link|img|iframe|a)\b[^>]*>", page)
    assert elements
    assert not [element for element in elements if re.search(r"src=|href=(?!\"#)", element)]


def test_it_has_the_tables_of_the_study(page):
    titles = ("Summary", "Pairs", "Parity")
    assert [f"<summary>{title} <span" in page for title in titles] == [True, True, False]


def test_it_is_small(page):
    assert embedded(page, "library") == {"library": document.library()}
    assert len(page) < 1e6


def read(folder):
    """The runs below a folder."""
    return list(map(runs.read, sorted(folder.rglob("run.json"))))


def unpacked(text):
    return gzip.decompress(base64.b64decode(text)).decode()


def embedded(page, name):
    """What the page holds compressed, by the identifiers of the elements that begin so."""
    scripts = re.findall(rf'<script type="application/gzip" id="({name}.*?)">(.*?)</script>', page)
    return {identifier: unpacked(text) for identifier, text in scripts}


def test_it_has_every_configuration_with_its_runs_and_command(page, recorded):
    listed = values.listed(recorded)
    details = embedded(page, "configuration-")
    assert len(details) == len(embedded(page, "curves-")) == len(listed)
    for text in details.values():
        assert "Measure it again" in text
        assert "--forcerun" in text


def test_a_run_whose_step_times_drift_says_so_in_its_own_row(recorded, sources):
    drift = "step times drift by +7 % over the window"
    doubtful = (recorded["status"] == "ok") & (recorded["repeat"] == 2)
    configurations = details.of_each(
        values.listed(recorded),
        read(STUDY),
        recorded.assign(reason=recorded["reason"].mask(doubtful, drift)),
        sources["steps"],
    )
    rows = [run for one in configurations for run in one["runs"] if run["status"] == "ok"]
    assert {run["repeat"] for run in rows if run["reason"] == drift} == {2}
    assert {run["repeat"] for run in rows if run["reason"] != drift} == {1, 3}


def test_settings_are_words_and_tell_which_runs_differ(recorded, sources, tmp_path):
    folder = shutil.copytree(STUDY, tmp_path / "study")
    for path in folder.rglob("run.json"):
        record = json.loads(path.read_text())
        seed = 1 if record["job"]["repeat"] < 3 else 7
        record["job"] |= {"seed": seed, "schedule": {"steps": {"every": 1000, "factor": 0.1}}}
        path.write_text(json.dumps(record))
    of_each = details.of_each(values.listed(recorded), read(folder), recorded, sources["steps"])
    settings = of_each[0]["settings"]
    assert settings["seed"] == "1 (runs 1, 2); 7 (run 3)"
    assert settings["schedule"] == "steps: every 1000, factor 0.1"
    assert settings["max seconds"] == "-"
    assert settings["keep weights"] == "no"


def test_what_only_some_runs_know_says_of_which_it_is(recorded, sources, tmp_path):
    folder = shutil.copytree(STUDY, tmp_path / "study")
    changes = {
        1: {},
        2: {"provenance": {"batch": {"job": "17", "node": None}}},
        3: {"status": "not_needed", "attempts": 0, "worker": None},
    }
    for path in folder.rglob("run.json"):
        record = json.loads(path.read_text())
        change = changes[record["job"]["repeat"]]
        origin = {**record["provenance"], **change.get("provenance", {})}
        path.write_text(json.dumps({**record, **change, "provenance": origin}))
    of_each = details.of_each(values.listed(recorded), read(folder), recorded, sources["steps"])
    versions = of_each[0]["versions"]
    assert versions["batch job"] == "17 (run 2)"
    assert versions["host kernel"] == "6.1"
    assert versions["host memory"] == "8.0 GiB"
    assert "(" not in versions["version"]


def test_of_many_repeats_the_curves_are_those_of_the_first(recorded, sources, tmp_path):
    folder = (
        STUDY / "runs" / "lenet-digits" / "pytorch" / "cpu" / "float32" / "train-dataset" / "r1"
    )
    record = json.loads((folder / "run.json").read_text())
    steps = sources["steps"].query("framework == 'pytorch' and case == 'lenet-digits'")
    steps = steps[steps["repeat"] == 1]
    for repeat in range(1, 13):
        copied = shutil.copytree(folder, tmp_path / str(repeat))
        job = {**record["job"], "repeat": repeat}
        (copied / "run.json").write_text(json.dumps({**record, "job": job}))
    (configuration,) = details.of_each(
        values.listed(recorded.query("framework == 'pytorch' and case == 'lenet-digits'")),
        read(tmp_path),
        recorded,
        pd.concat([steps.assign(repeat=repeat) for repeat in range(1, 13)]),
    )
    assert len(configuration["runs"]) == 12
    assert configuration["drawn"] == 10
    for chart in configuration["charts"]:
        drawn = {point["run"] for point in chart["datasets"]["points"]}
        assert drawn == {f"run {repeat}" for repeat in range(1, 11)}
        assert len(chart["datasets"]["edges"]) == 20


def test_without_javascript_there_are_still_results_evidence_and_tables(page):
    markup = re.sub(r"<script\b.*?</script>", "", page, flags=re.DOTALL)
    assert "Without JavaScript this page shows its results, evidence and tables" in markup
    assert markup.count('<table class="sortable">') == len(TABLES)
    sections = re.findall(r'<section( class="scripted")? aria-labelledby="(\w+)"', markup)
    assert [name for scripted, name in sections if not scripted] == [
        "results",
        "evidence",
        "tables",
    ]


def test_it_has_each_figure_and_its_values(page, drawings):
    for kind in ("svg", "csv"):
        [file] = re.findall(f'class="download {kind}" [^>]*data-gzip="(.*?)"', page)
        assert unpacked(file) == drawings[0].with_suffix(f".{kind}").read_text()
    assert "<figcaption>Training speed" in page


def test_it_can_tell_what_the_table_of_pairs_tells(recorded):
    listed = values.listed(recorded)
    verdict_of = verdicts.verdicts(listed, recorded)
    for pair in pairs.pairs(recorded).itertuples():
        of_case = listed[listed["case"] == pair.case]
        first, second = (
            of_case.index[of_case["framework"] == name].item() for name in (pair.first, pair.second)
        )
        ratio, _, _, verdict = verdict_of[",".join(map(str, sorted((first, second))))]
        expected = pair.ratio if first < second else 1 / pair.ratio
        assert ratio == pytest.approx(expected, rel=1e-3)
        assert (verdict == pairs.NOT_DISTINGUISHABLE) == (pair.verdict == pairs.NOT_DISTINGUISHABLE)


def test_a_reader_chooses_among_what_differs_within_a_case(recorded):
    listed = values.listed(recorded)
    assert values.filters(listed) == {}
    both = pd.concat([listed, listed.assign(precision="bfloat16")])
    assert values.filters(both) == {"precision": ["float32", "bfloat16"]}


def test_all_threads_are_a_choice_beside_any(recorded):
    both = pd.concat([recorded, recorded.assign(thread_count="1")])
    listed = values.listed(both)
    assert values.filters(listed) == {"thread_count": ["all", "1"]}
    chart = charts.of_case(listed, [], "training_speed", ["thread_count"])
    filtered = [step["filter"] for step in chart["layer"][0]["transform"] if "filter" in step]
    assert "thread_count == '' || datum.thread_count == thread_count" in filtered


@pytest.mark.parametrize(("count", "text"), [(1, "1 configuration."), (2, "2 configurations.")])
def test_a_chart_says_of_how_many_configurations_it_is(recorded, count, text):
    chart = charts.of_case(values.listed(recorded).head(count), [], "training_speed", [])
    assert f"of its {text}" in chart["description"]


def test_text_from_logs_and_studies_stays_text(recorded, sources, tmp_path):
    folder = shutil.copytree(STUDY, tmp_path / "study")
    for log in folder.rglob("worker.log"):
        log.write_text(log.read_text() + HOSTILE + "\n")
    renamed = {"measurements": recorded, "steps": sources["steps"]}
    renamed = {name: table.replace("recorded", HOSTILE) for name, table in renamed.items()}
    page = study.html(renamed, ["summary"], [], read(folder), HOSTILE)
    details = "".join(embedded(page, "configuration-").values())
    for text in (page, details):
        assert HOSTILE not in text
        assert "<img" not in text
        assert "&lt;/script&gt;&lt;script&gt;window.taken" in text


def test_it_tells_what_other_settings_of_a_framework_gain(recorded, sources):
    """JAX's runs as if they had been of a setting of PyTorch: one that is slower."""
    of_pytorch = {"jax": "pytorch"}
    renamed = {"framework": {"jax": "pytorch-tuned"}, "adapter": of_pytorch}
    tuned = recorded.replace({**renamed, "environment": of_pytorch})
    tables = {"measurements": tuned, "steps": sources["steps"]}
    page = study.html(tables, ["tuned"], [], read(STUDY), "snakemake")
    line = "<dt>PyTorch, other settings</dt><dd><b>No gain</b> <small>none is significantly faster"
    assert line in page


def test_a_run_on_a_gpu_has_its_curves_in_their_units(tmp_path):
    run = next(path.parent for path in STUDY.rglob("telemetry.csv"))
    folder = shutil.copytree(run, tmp_path / "run")
    telemetry = pd.read_csv(folder / "telemetry.csv")
    of_gpu = {"gpu0_power_watts": 250.0, "gpu0_memory_bytes": 3 * 2**30, "gpu0_sm_megahertz": 1980}
    telemetry.assign(**of_gpu).to_csv(folder / "telemetry.csv", index=False)
    curves = runs.read(folder / "run.json").curves(points=5)
    last = {point["curve"]: point["y"] for point in curves}
    assert last["gpu0 power (W)"] == 250
    assert last["gpu0 memory (GiB)"] == 3
    assert last["gpu0 clock (MHz)"] == 1980
    assert {"own cores", "others' cores", "memory (GiB)"} <= set(last)


def test_a_metric_of_which_neither_more_nor_less_is_better_says_neither(recorded):
    rows = list(values.rows(recorded))
    higher = {row["metric"]: row.get("higher") for row in rows}
    assert higher["training_speed"] is True
    assert higher["data_wait"] is False
    assert higher["cpu_user"] is None


def test_a_configuration_without_a_value_says_why(recorded):
    failed = recorded.assign(status="unsupported", absent="no such operator", value=None)
    rows = list(values.rows(pd.concat([recorded.assign(case="other"), failed])))
    assert {"no such operator"} <= {row["text"] for row in rows if row["kind"] == "none"}


def test_a_study_in_which_nothing_was_measured_has_a_page_with_the_reasons(recorded, sources):
    failed = recorded.assign(status="unavailable", absent="no such package", value=None)
    tables = {"measurements": failed, "steps": sources["steps"]}
    page = study.html(tables, ["summary"], [], read(STUDY), "snakemake")
    assert (
        page.count('<span class="missing" role="cell" aria-colspan="2">no such package</span>') == 8
    )
    assert values.metrics(failed) == ["training_speed"]


def test_the_data_of_the_charts_can_be_read_back(page):
    charts = re.findall(r'data-case="(.*?)" [^>]*data-gzip="(.*?)"', page)
    assert [case for case, _ in charts] == ["lenet-digits", "resnet50-cifar10"]
    for _, chart in charts:
        assert json.loads(unpacked(chart))["datasets"]["rows"]
