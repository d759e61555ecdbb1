"""An A/A test by result sets: of what nobody changed, how much is faster or slower."""

import copy
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from recorded import STUDY

from trainmark.analyse.sets.agreement import agreement
from trainmark.analyse.sets.result_set import ResultSet
from trainmark.runs import records

BEGAN = datetime.fromisoformat("2026-01-01T00:00:00+00:00")


@pytest.fixture(scope="module")
def recorded_set(recorded):
    return ResultSet("one", recorded, [records.read(path) for path in STUDY.rglob("run.json")])


def later(results, hours, factor=1.0, **host):
    """The same so many hours later, with speeds times a factor, on a host with other facts."""
    runs = copy.deepcopy(results.records)
    for run in runs:
        run["provenance"]["started"] = (BEGAN + timedelta(hours=hours)).isoformat()
        run["provenance"]["host"] |= host
    is_speed = results.measurements["metric"] == "training_speed"
    values = results.measurements["value"]
    values = values.mask(is_speed, values * factor)
    return replace(results, records=runs, measurements=results.measurements.assign(value=values))


def test_what_is_the_same_agrees(recorded_set):
    (row,) = agreement([recorded_set, later(recorded_set, 0.5)]).to_dict("records")
    assert row["apart"] == "within an hour"
    assert row["compared"] == 5
    assert row["different"] == 0


def test_what_differs_is_counted_by_the_time_between(recorded_set):
    faster = later(recorded_set, 30, factor=9)
    rows = agreement([recorded_set, later(recorded_set, 5), faster]).to_dict("records")
    counts = {row["apart"]: (row["pairs"], row["different"]) for row in rows}
    assert counts == {"within a day": (1, 0), "days apart": (2, 10)}


def test_what_changed_is_not_compared(recorded_set):
    assert agreement([recorded_set, later(recorded_set, 1, kernel="9.9")]).empty
    assert agreement([recorded_set]).empty


def test_studies_with_nothing_in_common_are_not_compared(recorded_set):
    measurements = recorded_set.measurements.assign(case="another")
    assert agreement([recorded_set, replace(recorded_set, measurements=measurements)]).empty


def test_the_machines_own_speed_stands_beside_its_verdicts(recorded_set):
    first, slower = (with_host_speed(recorded_set, gflops) for gflops in (200.0, 150.0))
    (row,) = agreement([first, later(slower, 5)]).to_dict("records")
    assert row["host_lowest"] == row["host_highest"] == pytest.approx(0.75)


def with_host_speed(results, gflops):
    """The same, with the machine's own speed before each run."""
    is_host = results.measurements["metric"] == "host_gflops"
    values = results.measurements["value"].mask(is_host, gflops)
    return replace(results, measurements=results.measurements.assign(value=values))
