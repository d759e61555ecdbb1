"""Frameworks compared in pairs, and the verdict on each pair."""

import pytest

from trainmark.analyse.compare.configurations import configurations
from trainmark.analyse.compare.pairs import pairs
from trainmark.report.figures import relative_speed
from trainmark.report.tables import pairs as table
from trainmark.report.words import writers


@pytest.fixture
def compared(recorded):
    return pairs(recorded).set_index(["case", "first", "second"])


def test_each_two_frameworks_with_a_value_are_a_pair_the_faster_one_first(compared):
    assert len(compared) == 6  # of four; in the other case only one has a value
    assert (compared["ratio"] >= 1).all()


def test_a_verdict_is_given_where_the_interval_excludes_one(compared):
    sure = compared.loc[("lenet-digits", "mxnet", "jax")]
    assert sure.verdict == "faster"
    assert 1 < sure.low < sure.ratio < sure.high
    for pair in compared.itertuples():
        assert pair.verdict == ("faster" if pair.low > 1 else "not distinguishable")


def test_one_run_each_tells_nothing(recorded):
    once = pairs(recorded[recorded["repeat"] == 1])
    assert set(once["verdict"]) == {"no interval"}
    assert once["low"].isna().all()


def test_configurations_on_different_devices_are_no_pair(recorded):
    other = recorded.assign(device=recorded["device"].where(recorded["framework"] == "jax", "x"))
    assert len(pairs(other)) == 3


def test_the_table_reads_as_a_sentence(recorded):
    shown = table.show(table.make(recorded))
    row = shown[(shown["framework"] == "MXNet") & (shown["than"] == "JAX")].iloc[0]
    assert row["verdict"] == "faster"
    assert row["95 % interval"].endswith(" *")  # a run of JAX was disturbed


def test_a_study_of_one_framework_has_no_pairs(recorded):
    alone = recorded[recorded["framework"] == "jax"]
    made = writers.table_of(table, alone)
    assert made.notes == ["No case has two frameworks with a value of the main metric."]
    for form in writers.FORMATS.values():
        assert form(made)


def test_one_run_that_was_too_fast_makes_no_framework_the_fastest(recorded):
    """By the geometric means, as the ratio itself."""
    speeds = (recorded["metric"] == "training_speed") & (recorded["case"] == "lenet-digits")
    odd = recorded.copy()
    for framework, values in {"jax": [100, 1000, 100], "mxnet": [350, 352, 349]}.items():
        odd.loc[speeds & (odd["framework"] == framework), "value"] = values
    odd = odd[odd["framework"].isin(["jax", "mxnet"])]
    assert (pairs(odd)["ratio"] >= 1).all()
    assert relative_speed.data(odd)["label"].iloc[0] == "MXNet"


def test_the_figure_puts_the_fastest_on_top_at_one(recorded):
    data = relative_speed.data(recorded)
    assert data["ratio"].iloc[0] == 1 and data["verdict"].iloc[0] == "fastest"
    assert (data["ratio"].dropna() <= 1).all()
    assert data["label"].tolist()[0] == "MXNet"


def test_a_mean_over_unlike_machines_says_so(recorded):
    rows = recorded[(recorded["framework"] == "jax") & (recorded["case"] == "lenet-digits")]
    moved = rows.assign(machine=rows["machine"].mask(rows["repeat"] == 2, "another PC"))
    (row,) = configurations(moved, "training_speed").to_dict("records")
    assert row["remark"].endswith("and another PC")
    assert "different machines" in row["remark"]


def test_a_repeat_that_was_left_out_is_of_no_machine(recorded):
    """Its record tells nothing of GPUs, so its machine would be another one."""
    rows = recorded[(recorded["framework"] == "jax") & (recorded["case"] == "lenet-digits")]
    is_first = rows["repeat"] == 1
    lost = rows.assign(
        machine=rows["machine"].mask(is_first, "the same without its GPU"),
        status=rows["status"].mask(is_first, "skipped"),
        value=rows["value"].mask(is_first),
        absent=rows["absent"].mask(is_first, "its training failed"),
    )
    (row,) = configurations(lost, "training_speed").to_dict("records")
    assert row["machine"] == rows["machine"].iloc[0]
    assert "different machines" not in row["remark"]
