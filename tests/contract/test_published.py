"""What every published study must fulfil: its folder of values and its file."""

from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

from trainmark.analyse.published import result_sets, studies
from trainmark.analyse.sets import result_set
from trainmark.report.draw import style
from trainmark.report.words import writers
from trainmark.study import plugins

RESOURCES = Path(__file__).parents[2] / "resources" / "published"
STUDIES = plugins.names("published study")


def test_each_folder_of_published_values_has_a_file_that_reports_it():
    assert sorted(path.name for path in RESOURCES.iterdir()) == STUDIES


@pytest.mark.parametrize("name", STUDIES)
def test_a_published_study_has_values_and_says_where_they_come_from(name):
    readme = (RESOURCES / name / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("# ") and readme.splitlines()[2]  # the source, below the title
    files = {path.name for path in (RESOURCES / name).glob("*.csv")}
    assert "values.csv" in files
    for file in files:
        assert f"`{file}`" in readme
        assert not pd.read_csv(RESOURCES / name / file).empty


@pytest.fixture(scope="module", params=STUDIES)
def study(request):
    """The plug-in of a study and what it has read."""
    plugin = plugins.load("published study", request.param)
    return plugin, plugin.read(RESOURCES / request.param)


def test_each_of_its_tables_has_every_format_and_says_that_it_is_as_published(study, tmp_path):
    plugin, published = study
    tables = plugin.tables(published)
    assert tables
    for name, table in tables.items():
        assert any("As published" in note for note in table.notes), name
        for ending in writers.FORMATS:
            path = tmp_path / f"{name}.{ending}"
            writers.write(table, path)
            assert path.read_text(encoding="utf-8")


def test_each_of_its_figures_can_be_drawn_and_says_that_it_is_as_published(study):
    plugin, published = study
    figures = plugin.figures(published)
    assert figures
    for name, drawing in figures.items():
        with style.applied():
            figure = drawing.draw()
        assert isinstance(figure, Figure) and not drawing.data.empty, name
        assert "As published" in figure.texts[-1].get_text(), name


@pytest.mark.parametrize("name", STUDIES)
def test_its_result_sets_are_those_that_it_names_and_can_be_read_like_any_other(name, tmp_path):
    published = studies.STUDIES[name](RESOURCES / name)
    assert list(published.machines) == list(plugins.facts("published study", name)["SETS"])
    for machine in published.machines:
        path = tmp_path / machine / "measurements.csv"
        path.parent.mkdir()
        result_sets.result_set(published, machine).to_csv(path, index=False)
        assert not result_set.read(path).measurements.empty
