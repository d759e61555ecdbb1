"""From recorded runs to tables and figures by the workflow's own rules, without any training."""

import base64
import gzip
import html
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from figure import main as draw_figure
from table import main as make_table
from trainmark.report.show import writers
from trainmark.study import plugins

HOUSE = Path(__file__).parents[2]
RECORDED = HOUSE / "tests" / "data" / "study"
CONFIG = """
study: recorded
protocol: 1
repeats: 3
seed: 1
frameworks: [pytorch, tensorflow, mxnet, jax]
cases:
  resnet50-cifar10: &case
    network: resnet50
    dataset: synthetic-cifar10
    batch_size: 64
    warmup_steps: 5
    steps: 20
    learning_rate: 0.01
    momentum: 0.9
    weight_decay: 0.0005
    evaluate: false
  lenet-digits:
    <<: *case
    network: lenet
    dataset: digits
    evaluate: true
devices: [cpu]
precisions: [float32]
stages: [train]
input_modes: [dataset]
"""
FROM_RECORDS = ("--profile", str(HOUSE / "profiles" / "report"))


def snakemake(folder, *arguments, returncode=0):
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(HOUSE / "Snakefile")]
    command += ["--directory", str(folder), "--configfile", str(folder / "study.yaml")]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == returncode, done.stderr
    return done


def source_of(kind, name):
    """The name of the table that a table or a figure is made from."""
    return plugins.facts(kind, name).get("SOURCE", "measurements")


def one_of_each_source(kind):
    """The tables or figures that the workflow is asked for: the first of those from each table."""
    first = {source_of(kind, name): name for name in reversed(plugins.names(kind))}
    return [*first.values()]


TABLES = {*one_of_each_source("table"), "availability", "devices", "summary", "transfer"}
"""With those that tests read, and one that stands beside published values."""
FIGURES = one_of_each_source("figure")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    (folder / "study.yaml").write_text(CONFIG)
    shutil.copytree(RECORDED, folder / "results" / "recorded")
    reported = ["results/recorded/report.html"]
    reported += [f"results/recorded/tables/{name}.txt" for name in TABLES]
    reported += [f"results/recorded/figures/{name}/{name}.svg" for name in FIGURES]
    snakemake(folder, "--cores", "2", *FROM_RECORDS, "--", *reported)
    return folder / "results" / "recorded"


def test_a_table_and_a_figure_of_each_source_are_made(results):
    for name in TABLES:
        made = {path.suffix for path in (results / "tables").glob(f"{name}.*")}
        assert made == {".csv", ".md", ".txt", ".tex", ".html"}
    for name in FIGURES:
        made = {path.suffix for path in (results / "figures" / name).iterdir()}
        assert made == {".svg", ".pdf", ".png", ".csv"}


@pytest.mark.parametrize("name", plugins.names("table"))
def test_a_rules_script_makes_every_table_also_of_a_study_that_has_nothing_for_it(
    results, tmp_path, name
):
    made = {ending: tmp_path / f"{name}.{ending}" for ending in writers.FORMATS}
    source = results / f"{source_of('table', name)}.csv"
    make_table(name, str(source), "", [str(path) for path in made.values()])
    assert all(path.stat().st_size for path in made.values())
    assert f"# {plugins.facts('table', name)['TITLE']}\n" in made["md"].read_text(encoding="utf-8")


@pytest.mark.parametrize("name", plugins.names("figure"))
def test_a_rules_script_draws_every_figure_also_of_a_study_that_has_nothing_for_it(
    results, tmp_path, name
):
    drawn = tmp_path / f"{name}.svg"
    draw_figure(name, str(results / f"{source_of('figure', name)}.csv"), "", [str(drawn)])
    assert plugins.facts("figure", name)["TITLE"] in drawn.read_text(encoding="utf-8")


def test_the_page_has_the_figures_and_tables_of_the_study(results):
    page = (results / "report.html").read_text(encoding="utf-8")
    assert "<h1>recorded</h1>" in page
    for name in ("training_speed", "step_times", "parity"):
        assert f'data-name="{name}"' in page
    assert "<h3>Summary</h3>" in page


def test_what_the_page_says_to_measure_a_configuration_again_makes_the_page_again(results):
    page = (results / "report.html").read_text(encoding="utf-8")
    packed = re.search(r'id="configuration-0">(.*?)</script>', page)[1]
    details = gzip.decompress(base64.b64decode(packed)).decode()
    command = html.unescape(re.search(r"<pre>(.*?)</pre>", details)[1])
    option, *records = shlex.split(command[command.index(" --force") :])
    folder = results.parents[1]
    assert [(folder / record).is_file() for record in records] == [True] * 3
    planned = snakemake(folder, "--dry-run", "--quiet", "host", option, *records).stdout
    counts = dict(re.findall(r"^(\w+) +(\d+)$", planned, re.MULTILINE))
    assert {"train", "events", "measurements", "figure", "page"} <= set(counts)


def test_the_summary_accounts_for_every_cell(results):
    summary = (results / "tables" / "summary.txt").read_text(encoding="utf-8")
    assert "timed_out: no end within 600 s" in summary
    assert summary.count("MXNet") == 2


def test_every_event_keeps_its_run(results):
    events = (results / "events.jsonl").read_text(encoding="utf-8").splitlines()
    assert '"run": "results/recorded/runs/resnet50-cifar10/pytorch/cpu' in events[0]


@pytest.mark.parametrize("name", ["tables/availability", "tables/devices", "measurements"])
def test_cases_and_frameworks_are_in_the_order_of_the_study(results, name):
    table = pd.read_csv(results / f"{name}.csv")
    assert list(table["case"].unique()) == ["resnet50-cifar10", "lenet-digits"]
    assert list(table["framework"].unique()) == ["pytorch", "tensorflow", "mxnet", "jax"]


@pytest.mark.parametrize("name", ["tables/summary", "figures/training_speed/training_speed"])
def test_where_the_fastest_comes_first_it_does_so_within_the_order_of_the_cases(results, name):
    table = pd.read_csv(results / f"{name}.csv")
    assert list(table["case"].unique()) == ["resnet50-cifar10", "lenet-digits"]
    assert table.groupby("case", sort=False)["framework"].first().tolist() == ["pytorch", "mxnet"]


def test_a_study_in_another_order_is_reported_in_that(results, tmp_path):
    folder = tmp_path / "reordered"
    shutil.copytree(results.parents[1], folder)
    reordered = "[jax, mxnet, pytorch, tensorflow]"
    study = CONFIG.replace("[pytorch, tensorflow, mxnet, jax]", reordered)
    (folder / "study.yaml").write_text(study)
    table = "results/recorded/tables/availability"
    snakemake(folder, "--cores", "1", *FROM_RECORDS, "--", f"{table}.txt")
    frameworks = pd.read_csv(folder / f"{table}.csv")["framework"]
    assert list(frameworks.unique()) == ["jax", "mxnet", "pytorch", "tensorflow"]


def test_every_result_of_a_study_that_is_cut_short_says_so(tmp_path):
    results = tmp_path / "results" / "recorded"
    shutil.copytree(RECORDED, results)
    for record in results.rglob("run.json"):
        record.write_text(record.read_text().replace('"evaluate": true', '"evaluate": false'))
    (tmp_path / "study.yaml").write_text(CONFIG.replace("steps: 20", "steps: 938"))
    made = ["tables/settings.txt", "tables/fastest.txt", "figures/parity/parity.svg"]
    made += ["charts/lenet-digits/training_speed.svg"]
    options = ("--cores", "2", *FROM_RECORDS, "--config", "max_steps=20")
    snakemake(tmp_path, *options, "--", *(f"results/recorded/{path}" for path in made))
    texts = [(results / path).read_text(encoding="utf-8") for path in made]
    assert all("Cut short: each run's window ends after at most 20 steps" in text for text in texts)
    assert "20 of 938" in texts[0]
    table = pd.read_csv(results / "measurements.csv").set_index(["metric", "status"])
    reasons = table.loc[("accuracy_top1", "ok")].groupby("case")["absent"].unique()
    assert list(reasons["lenet-digits"]) == ["the run was cut short"]
    assert list(reasons["resnet50-cifar10"]) == ["the case asks for no evaluation"]


COMPARING = ("comparison", "compare", "merge", "machines")


@pytest.fixture
def baseline(results, tmp_path):
    """The same results, but for a PyTorch that was half as fast again."""
    folder = tmp_path / "earlier"
    shutil.copytree(results, folder)
    table = pd.read_csv(folder / "measurements.csv")
    chosen = (table["framework"] == "pytorch") & (table["metric"] == "training_speed")
    table.loc[chosen, "value"] *= 1.5
    table.to_csv(folder / "measurements.csv", index=False)
    return folder


def compare(results, baseline, *, returncode):
    options = ("--cores", "1", "--allowed-rules", *COMPARING, "--config", f"baseline={baseline}")
    return snakemake(results.parents[1], *options, "--", "compare", returncode=returncode)


def test_a_study_compared_with_itself_has_no_changes(results):
    printed = compare(results, results, returncode=0).stdout
    assert "can't be told" in printed
    assert printed.splitlines()[-1] == "Table, figure and page: results/recorded/comparison/"
    page = (results / "comparison" / "report.html").read_text(encoding="utf-8")
    assert " configurations: " in page
    assert page.count('class="drawing"') == 1


def test_what_became_slower_ends_the_comparison_with_an_error(results, baseline):
    done = compare(results, baseline, returncode=1)
    assert "lenet-digits, pytorch, cpu: at least" in done.stderr
    assert (results / "comparison" / "comparison.svg").exists()


def test_another_content_of_the_baseline_is_another_comparison(results, baseline):
    compare(results, baseline, returncode=1)
    shutil.copy(results / "measurements.csv", baseline / "measurements.csv")
    compare(results, baseline, returncode=0)


def test_a_baseline_that_is_none_is_said_before_anything_else(results, tmp_path):
    done = compare(results, tmp_path, returncode=1)
    assert "holds no measurements.csv; give the folder of a study's results" in done.stderr
    assert "Execute" not in done.stderr


def test_the_archive_that_a_study_is_packed_into_is_no_baseline_of_it(results):
    done = compare(results, "results/recorded/recorded.zip", returncode=1)
    assert "is packed anew whenever the study is measured; give a copy" in done.stderr
    assert "Execute" not in done.stderr


def test_another_source_of_the_same_hardware_is_told_with_its_spread(results, baseline):
    options = ("--cores", "1", "--allowed-rules", *COMPARING, "--config", f"others=[{baseline}]")
    done = snakemake(results.parents[1], *options, "--", "machines")
    assert "2 sources)" in done.stdout
    assert f"Source 2: {baseline}; " in done.stdout
    sources = pd.read_csv(results / "machines" / "sources.csv")
    assert set(sources["framework"]) == {"pytorch"}  # the others' runs are the same ones
    assert sources["ratio"].dropna().unique() == pytest.approx(1.5)


def pack(folder):
    """The archive of the recorded study in a folder, and what was said of it."""
    options = ("--cores", "1", "--allowed-rules", "pack", "--", "pack")
    done = snakemake(folder, *options)
    return folder / "results" / "recorded" / "recorded.zip", done.stdout


@pytest.fixture
def archive(results, baseline, tmp_path):
    """What a colleague packed, where PyTorch was half as fast again."""
    colleague = tmp_path / "colleague"
    shutil.copytree(results.parents[1], colleague)
    shutil.copy(baseline / "measurements.csv", colleague / "results" / "recorded")
    packed, told = pack(colleague)
    assert re.search(r"recorded\.zip: 24 runs, [\d,]+ bytes, SHA-256 [0-9a-f]{64}", told)
    return packed.rename(tmp_path / "colleague.zip")


def test_an_archive_stands_where_a_folder_does(results, archive):
    options = ("--cores", "1", "--allowed-rules", *COMPARING, "--config", f"others=[{archive}]")
    done = snakemake(results.parents[1], *options, "--", "machines")
    told = " ".join(done.stdout.split())  # a long path is told over several lines
    assert f"Source 2: {archive}; " in told
    sources = pd.read_csv(results / "machines" / "sources.csv")
    assert sources["ratio"].dropna().unique() == pytest.approx(1.5)
    done = compare(results, archive, returncode=1)
    assert "lenet-digits, pytorch, cpu: at least" in done.stderr


def test_an_archive_has_all_that_a_run_left(archive):
    with zipfile.ZipFile(archive) as packed:
        paths = [Path(name) for name in packed.namelist()]
    (record,) = [path for path in paths if path.match("lenet-digits/jax/*/*/*/r1/run.json")]
    left = ["run.json", "telemetry.csv", "worker.log"]
    assert sorted(path.name for path in paths if path.parent == record.parent) == left


def test_the_same_results_are_packed_into_the_same_archive(results, archive, tmp_path):
    again = tmp_path / "again"
    shutil.copytree(tmp_path / "colleague", again)
    packed, _ = pack(again)
    assert packed.read_bytes() == archive.read_bytes()


def test_a_damaged_archive_is_refused_before_anything_else(results, archive):
    archive.write_bytes(archive.read_bytes()[:-100])
    options = ("--cores", "1", "--allowed-rules", *COMPARING, "--config", f"others=[{archive}]")
    done = snakemake(results.parents[1], *options, "--", "machines", returncode=1)
    assert f"{archive} is no archive of results as `pack` makes it: it is cut off" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Execute" not in done.stderr
