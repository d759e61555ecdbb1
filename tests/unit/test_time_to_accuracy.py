"""The table of the times to an accuracy."""

import pytest

from trainmark.analyse.along.time_to_accuracy import time_to_accuracy
from trainmark.report.tables import time_to_accuracy as table
from trainmark.report.words.writers import table_of, text

IS_TIME = "time_to_accuracy"


@pytest.fixture(scope="module")
def reached(recorded):
    """The recorded LeNet, as if each framework had reached its accuracy: mxnet in one run."""
    lenet = recorded[recorded["case"] == "lenet-digits"]
    seconds = lenet["framework"].map({"pytorch": 1.0, "jax": 4.0, "mxnet": 2.0})
    seconds += lenet["repeat"] / 100
    is_time = lenet["metric"] == IS_TIME
    too_late = (lenet["framework"] == "mxnet") & (lenet["repeat"] > 1)
    values = lenet["value"].mask(is_time, seconds.mask(too_late))
    reasons = lenet["absent"].mask(is_time & too_late, "top-1 accuracy reached 91 %, not 98 %")
    return lenet.assign(value=values, absent=reasons)


def test_the_fastest_is_first_and_the_others_take_a_multiple_of_its_time(reached):
    rows = time_to_accuracy(reached).set_index("framework")
    assert rows.index[0] == "pytorch"
    assert rows.loc["jax", "ratio"] == pytest.approx(4.02 / 1.02, rel=0.01)
    assert rows.loc["jax", "verdict"] == "slower"


def test_a_mean_is_of_the_runs_that_reached_it_and_says_how_many(reached):
    rows = time_to_accuracy(reached).set_index("framework")
    assert (rows.loc["mxnet", "n"], rows.loc["mxnet", "repeats"]) == (1, 3)
    assert "1 of 3" in text(table_of(table, reached))


def test_cases_without_a_target_are_not_in_it(recorded):
    assert time_to_accuracy(recorded).empty
    assert table.NONE in text(table_of(table, recorded))
