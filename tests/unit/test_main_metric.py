"""Reports, ranks and comparisons use the main metric of a stage."""

import pytest

from trainmark.analyse.compare import configurations
from trainmark.analyse.compare.pairs import beside_the_fastest, pairs
from trainmark.report.figures import relative_speed
from trainmark.report.tables import pairs as table
from trainmark.report.tables import summary
from trainmark.report.words.writers import table_of
from trainmark.study import plugins

LENET = "lenet-digits"


@pytest.fixture
def by_step_time(monkeypatch):
    """As if the stage `train` were measured by the milliseconds of a step."""
    monkeypatch.setattr(configurations, "main_metric", lambda stage: "step_time_median")


@pytest.mark.parametrize("stage", plugins.names("stage"))
def test_every_stage_has_one_of_which_it_is_known_what_is_better(stage):
    facts = plugins.facts("metric", plugins.facts("stage", stage)["MAIN_METRIC"])
    assert facts["HIGHER_IS_BETTER"] in (True, False)


def test_of_times_the_shortest_is_the_fastest(recorded, by_step_time):
    rows = beside_the_fastest(recorded).set_index(["case", "framework"]).loc[LENET]
    assert set(rows["metric"]) == {"step_time_median"}
    fastest = rows[rows["verdict"] == "fastest"].iloc[0]
    assert fastest["mean"] == rows["mean"].min()
    assert (rows["ratio"].dropna() <= 1).all()


def test_the_first_of_a_pair_has_the_shorter_time(recorded, by_step_time):
    means = configurations.main_values(recorded).set_index(["case", "framework"])["mean"]
    for pair in pairs(recorded).itertuples():
        assert means[pair.case, pair.first] <= means[pair.case, pair.second]
        assert pair.ratio >= 1


def test_tables_and_figures_name_it(recorded, by_step_time):
    shown = table_of(summary, recorded).shown
    assert "ms" in shown and "images/s" not in shown
    times = shown.loc[shown["case"] == LENET, "ms"].str.split().str[0]
    values = times[times != "-"].astype(float)
    assert values.is_monotonic_increasing
    assert "step time (median)" in table_of(table, recorded).notes[1]
    assert relative_speed.data(recorded)["ratio"].iloc[0] == 1
