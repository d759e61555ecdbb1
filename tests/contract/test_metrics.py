"""What every metric in the folder must fulfil, a new one without a change to this test."""

import math

import pytest

from trainmark.analyse.run.recording import Absent
from trainmark.study import plugins

METRICS = plugins.names("metric")


def test_no_two_metrics_have_one_name():
    files = plugins.FOLDERS["metric"].glob("*.py")
    assert sum(file.read_text().count("\n@metric(") for file in files) == len(METRICS)


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_says_what_it_is_and_how_it_is_printed(name):
    facts = plugins.facts("metric", name)
    assert facts["TITLE"] and facts["UNIT"]
    facts["NUMBER_FORMAT"].format(1234.5)


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_of_any_run_is_a_finite_number_or_absent_with_a_reason(name, recorded_runs):
    metric = plugins.load("metric", name)
    for run in recorded_runs:
        try:
            value = metric(run)
        except Absent as absent:
            assert str(absent)
        else:
            assert isinstance(value, float) and math.isfinite(value)
