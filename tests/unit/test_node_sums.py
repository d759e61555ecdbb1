"""Sums over several nodes, and the disturbances of each node."""

import pytest
from machine_settings import LIMITS

from trainmark.machine.cpu_load import Load, Window, load
from trainmark.machine.gpu import GpuSample
from trainmark.machine.telemetry import Sample
from trainmark.runs.launch import Exit
from trainmark.runs.nodes import sums
from trainmark.runs.nodes.other_nodes import Ended
from trainmark.runs.record import judge

SECONDS = 10
PRINTED = b"""\
@trainmark {"event": "start", "python": "3", "pid": 1, "time_seconds": 100.5}
@trainmark {"event": "window_start", "time_seconds": 102.0}
@trainmark {"event": "window_end", "steps": 1, "images": 64, "wait_seconds": 0, \
"step_end_seconds": [], "losses": [], "time_seconds": 108.0}
@trainmark {"event": "end", "time_seconds": 109.0}
"""


def node(start, own_cores, busy, memory=100, watts=None):
    """Samples of a node that uses so many cores, ten a second, by its own clock."""
    return [
        Sample(
            time_seconds=start + tick / 10,
            cpu_busy_seconds=busy * tick / 10,
            cpu_steal_seconds=0.0,
            own_cpu_seconds=own_cores * tick / 10,
            launcher_cpu_seconds=0.0,
            own_memory_bytes=memory,
            cpu_megahertz=2000.0,
            gpus=(GpuSample(5, watts, None, 90, None, None, None, None),) if watts else (),
        )
        for tick in range(10 * SECONDS + 1)
    ]


def test_another_clock_is_read_as_the_first_ones():
    before, after = sums.Clocks(100.0, 5000.0), sums.Clocks(110.0, 5010.1)
    first, *_, last = sums.by_first_clock(node(5000.0, 1, 1)[:101], before, after)
    assert first.time_seconds == 100.0
    assert last.time_seconds == pytest.approx(109.901, abs=0.001)


def test_counters_and_memory_are_added_up_at_each_moment():
    together = sums.samples([node(100.0, 1, 1, 100, 50.0), node(100.03, 2, 3, 1000, 70.0)])
    assert len(together) == 10 * SECONDS + 1
    window = Window(102.0, 108.0)
    assert load(together, window) == Load(own_cpu=3.0, other_cpu=1.0, steal=0.0)
    middle = together[50]
    assert middle.own_memory_bytes == 1100
    assert middle.cpu_megahertz == 2000.0
    assert [gpu.power_watts for gpu in middle.gpus] == [50.0, 70.0]


def test_what_one_node_does_not_tell_is_unknown():
    first = [each._replace(own_read_bytes=1) for each in node(100.0, 1, 1)]
    together = sums.samples([first, node(100.0, 1, 1)])
    assert {each.own_read_bytes for each in together} == {None}


def test_one_node_stays_as_it_is():
    samples = node(100.0, 1, 1)
    assert sums.samples([samples]) is samples


def ended(samples, oom_kills=0, exit_code=0):
    return Exit(exit_code, None, False, oom_kills, 10.0, samples)


def test_a_run_is_disturbed_where_one_of_its_nodes_was():
    other = Ended("node 2 (gpu02)", ended(node(100.0, 1, 1.5)))
    attempt = judge(ended(node(100.0, 1, 1)), PRINTED, 60, LIMITS, [other])
    assert attempt.outcome.status == "ok"
    assert list(attempt.disturbances) == ["node 2 (gpu02): 0.50 cores used by others"]
    assert attempt.load == Load(2.0, 0.5, 0.0)
    assert len(attempt.of_nodes) == 2


def test_a_rank_that_another_node_killed_for_want_of_memory_is_reported():
    error = b"""@trainmark {"event": "error", "kind": "failed", "time_seconds": 105.0, \
"message": "RankFailed: rank 1 on node 2 (10.0.0.2) ended"}\n"""
    other = Ended("node 2 (gpu02)", ended(node(100.0, 1, 1), oom_kills=1))
    attempt = judge(ended(node(100.0, 1, 1), exit_code=1), error, 60, LIMITS, [other])
    assert attempt.outcome.status == "out_of_memory"
    assert "rank 1 on node 2 (10.0.0.2) ended" in attempt.outcome.reason
