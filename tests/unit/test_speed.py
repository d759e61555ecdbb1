"""The machine's own speed: measured, summed over nodes, compared between result sets."""

from itertools import cycle, islice

import pytest

from trainmark.analyse.compare import comparison, host_speeds
from trainmark.machine import speed
from trainmark.machine.speed import Speed
from trainmark.report.compare import comparison as report


def test_processors_and_memory_are_measured():
    assert min(speed.measured(threads=1)) > 0


def test_a_machine_that_cannot_be_measured_has_no_speed(tmp_path, monkeypatch):
    monkeypatch.setattr(speed, "PROGRAM", tmp_path / "absent.py")
    assert speed.measured(threads=1) is None


def test_nodes_add_up_where_all_are_known():
    assert speed.of_all([Speed(100.0, 20.0), Speed(50.0, 10.0)]) == Speed(150.0, 30.0)
    assert speed.of_all([Speed(100.0, 20.0), None]) is None


def with_speeds(recorded, gflops):
    """The measurements of a study, with two speeds of the machine before its runs, in turns."""
    table = recorded.copy()
    is_host = table["metric"] == "host_gflops"
    table.loc[is_host, "value"] = list(islice(cycle(gflops), is_host.sum()))
    return table


def test_machines_are_compared_by_their_configurations_in_both(recorded):
    before = with_speeds(recorded, [200.0, 220.0])
    now = with_speeds(recorded, [100.0, 110.0])

    (ratio,) = host_speeds.ratios(now[now["framework"] != "jax"], before).values()

    assert ratio.ratio == pytest.approx(0.5, rel=0.02)
    assert ratio.high < 0.6
    notes = report.table(comparison.compare(now, before, {}), {"host_gflops": ratio}).notes
    (sentence,) = (note for note in notes if note.startswith("The machine's own speed"))
    assert ": 0.50 (" in sentence
    assert sentence.endswith("times in products of matrices.")


def test_a_lost_run_changes_no_ratio(recorded):
    """A machine is faster before runs with more threads: both sides have as many of each."""
    is_host = recorded["metric"] == "host_gflops"
    is_jax = recorded["framework"] == "jax"
    before = recorded.assign(value=recorded["value"].mask(is_host, is_jax * 100.0 + 100.0))
    now = before[~is_jax | (before["repeat"] == 1)]
    assert host_speeds.ratios(now, before)["host_gflops"].ratio == pytest.approx(1)


def test_a_study_of_another_name_is_compared(recorded):
    now = with_speeds(recorded, [100.0, 110.0])
    (ratio,) = host_speeds.ratios(now, now.assign(study="before")).values()
    assert ratio.ratio == 1


def test_a_machine_that_was_not_measured_is_not_compared(recorded):
    assert host_speeds.ratios(recorded, recorded) == {}
