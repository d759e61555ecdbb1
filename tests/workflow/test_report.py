"""From recorded runs to tables and figures by the workflow's own rules, without any training."""

import base64
import gzip
import html
import re
import shlex
import shutil

import pandas as pd
import pytest
from recorded import STUDY
from reported_study import CONFIG, FROM_RECORDS, reported, snakemake

from figure import main as draw_figure
from table import main as make_table
from trainmark.report.words import writers
from trainmark.study import plugins


def source_of(kind, name):
    """The name of the table that a table or a figure is made from."""
    return plugins.facts(kind, name).get("SOURCE", "measurements")


def first_of_each_source(kind):
    """By the table that they are made from, the first of the tables or figures."""
    return {source_of(kind, name): name for name in reversed(plugins.names(kind))}


OF_FIGURES, OF_TABLES = map(first_of_each_source, ("figure", "table"))
FIGURES = [*OF_FIGURES.values()]
"""One of each source that figures have; of the other sources there are tables alone."""
TABLES = {name for source, name in OF_TABLES.items() if source not in OF_FIGURES}
TABLES |= {"availability", "devices", "summary", "transfer"}
"""With those that tests read, and one that stands beside published values."""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    tables = [f"tables/{name}.txt" for name in TABLES]
    figures = [f"figures/{name}/{name}.svg" for name in FIGURES]
    return reported(tmp_path_factory.mktemp("study"), "report.html", *tables, *figures)


def test_a_table_or_a_figure_of_each_source_is_made(results):
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
    assert "Study recorded" in page
    for name in ("training_speed", "step_times", "parity"):
        assert f'data-name="{name}"' in page
    assert "<summary>Summary <span" in page


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
    shutil.copytree(STUDY, results)
    for record in results.rglob("run.json"):
        record.write_text(record.read_text().replace('"evaluate": true', '"evaluate": false'))
    (tmp_path / "study.yaml").write_text(CONFIG.replace("steps: 20", "steps: 938"))
    made = ["tables/settings.txt", "tables/fastest.txt", "figures/parity/parity.svg"]
    made += ["charts/lenet-digits/training_speed-grouped.svg"]
    options = ("--cores", "2", *FROM_RECORDS, "--config", "max_steps=20")
    snakemake(tmp_path, *options, "--", *(f"results/recorded/{path}" for path in made))
    texts = [(results / path).read_text(encoding="utf-8") for path in made]
    assert all("Cut short: each run's window ends after at most 20 steps" in text for text in texts)
    assert "20 of 938" in texts[0]
    table = pd.read_csv(results / "measurements.csv").set_index(["metric", "status"])
    reasons = table.loc[("accuracy_top1", "ok")].groupby("case")["absent"].unique()
    assert list(reasons["lenet-digits"]) == ["the run was cut short"]
    assert list(reasons["resnet50-cifar10"]) == ["the case asks for no evaluation"]


def test_nothing_is_made_for_runs_that_were_unavailable_elsewhere(tmp_path):
    """With profiles/report: the record of their environment is missing here, and stays so."""
    reported(tmp_path, "measurements.csv")
    assert any('"unavailable"' in path.read_text() for path in tmp_path.rglob("run.json"))
    snakemake(tmp_path, "--cores", "2", *FROM_RECORDS, "--dry-run", "--", "all")
