"""Published studies, drawn by `snakemake paper_figures` in a fresh copy of the project."""

import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from trainmark.study import plugins

pytestmark = pytest.mark.whole  # tests/contract/test_published.py draws each figure, too

ROOT = Path(__file__).parents[2]
RESOURCES = ROOT / "resources" / "published"
THESIS = RESOURCES / "thesis"
TABLE_FORMATS, FIGURE_FORMATS = ("csv", "md", "txt", "tex", "html"), ("svg", "pdf", "png", "csv")
LETTERS = {"a": "training_speed", "b": "gpu_memory_mean", "c": "gpu_power"}
CASES = pd.read_csv(THESIS / "settings.csv", dtype={"figure": str}).to_dict("records")
TABLES = {
    "figure-4.5-settings": "Figure 4.5: settings",
    "figure-5.1-availability": "Figure 5.1: availability",
    "appendix-a": "Appendix A",
    "speedups": "Speed-up",
    "fastest": "Fastest",
    "memory-outliers": "Memory outliers",
    "figure-4.1.b-machines": "Figure 4.1.b: machines",
    "figure-4.3-software": "Figure 4.3: software",
    "k20m-to-p100": "How many times as fast one P100 is as one K20m",
}


def chart(case, letter):
    """The name of one of a case's three charts: figure-5.2.a-training_speed-mnist-lenet."""
    parts = [f"{case['figure']}.{letter}", LETTERS[letter], case["dataset"], case["network"]]
    return "-".join(["figure", *parts]).lower()


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """The folder with one of each study, which one call makes."""
    checkout = tmp_path_factory.mktemp("checkout")
    for name in ("workflow", "config", "profiles", "envs", "resources"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copy(ROOT / "Snakefile", checkout)
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "paper_figures"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return checkout / "results" / "published"


@pytest.fixture
def thesis(drawn):
    return drawn / "thesis"


@pytest.mark.parametrize("study", plugins.names("published study"))
def test_each_published_study_has_all_its_tables_and_figures_in_every_format(drawn, study):
    plugin = plugins.load("published study", study)
    published = plugin.read(RESOURCES / study)
    for folder, names, forms in (
        ("tables", plugin.tables(published), TABLE_FORMATS),
        ("figures", plugin.figures(published), FIGURE_FORMATS),
    ):
        made = {path.name for path in (drawn / study / folder).glob("[!.]*")}
        assert made == {f"{name}.{form}" for name in names for form in forms}
    page = (drawn / study / "report.html").read_text(encoding="utf-8")
    assert all(f'data-name="{name}"' in page for name in plugin.figures(published))
    assert page.count("<table") == len(plugin.tables(published))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_the_title_of_the_thesis_and_says_that_it_is_as_published(thesis, name):
    text = (thesis / "tables" / f"{name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {TABLES[name]}\n")
    assert "As published" in text


def test_the_study_has_one_plain_name_as_a_heading_in_a_cell_and_in_a_column(thesis):
    tables = thesis / "tables"
    assert "\n## piccione-2018\n" in (tables / "figure-5.1-availability.md").read_text()
    assert "\npiccione-2018 & Caffe &" in (tables / "figure-5.1-availability.tex").read_text()
    assert set(pd.read_csv(tables / "appendix-a.csv")["study"]) == {"piccione-2018"}


@pytest.mark.parametrize("letter", LETTERS)
def test_a_chart_shows_each_published_value_of_its_framework_and_device(thesis, letter):
    """Of one case; tests/unit/test_published.py has all."""
    case = CASES[0]
    published = pd.read_csv(THESIS / "values.csv")
    settings = {"dataset": case["dataset"], "network": case["network"], "metric": LETTERS[letter]}
    for column, value in settings.items():
        published = published[published[column] == value]
    shown = pd.read_csv(thesis / "figures" / f"{chart(case, letter)}.csv")
    keys = ["framework", "device"]
    joined = published.merge(shown, on=keys, how="outer", validate="1:1", indicator=True)
    assert set(joined["_merge"]) == {"both"}
    assert len(joined) == 5 * 5
    pd.testing.assert_series_equal(joined["value"], joined["mean"].astype(float), check_names=False)


def test_a_published_mean_is_no_single_run(thesis):
    shown = pd.read_csv(thesis / "figures" / f"{chart(CASES[0], 'a')}.csv")
    assert not [column for column in shown if column.startswith("run_")]
