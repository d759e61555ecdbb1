"""CPU cores used in a window, and by whom: pure functions of samples."""

import os
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from trainmark.machine.telemetry import Sample

# Linux counts each core's time in ticks, cut off at both edges of the window: errors that add up as
# independent ones do.
RESOLUTION_SECONDS: float = (2 * len(os.sched_getaffinity(0))) ** 0.5 / os.sysconf("SC_CLK_TCK")


class Window(NamedTuple):
    """The timed part of a run, in CLOCK_MONOTONIC seconds."""

    start_seconds: float
    end_seconds: float

    @property
    def seconds(self) -> float:
        """Its length."""
        return self.end_seconds - self.start_seconds


class Load(NamedTuple):
    """Mean number of cores used in a window: by the run, by others, and by the hypervisor."""

    own_cpu: float
    other_cpu: float
    steal: float


def load(samples: Sequence[Sample], window: Window) -> Load:
    """Cores used in the window; others' are all but the run's and the launcher's."""
    if window.seconds <= 0:
        return Load(0.0, 0.0, 0.0)
    busy = rise(samples, "cpu_busy_seconds", window)
    run = rise(samples, "own_cpu_seconds", window)
    launcher = rise(samples, "launcher_cpu_seconds", window)
    steal = rise(samples, "cpu_steal_seconds", window)
    other = max(0.0, busy - run - launcher)
    return Load(*(round(seconds / window.seconds, 4) for seconds in (run, other, steal)))


def interpolate(times: Sequence[float], values: Sequence[float], moment: float) -> float:
    """The value at a moment between two samples; at the edges, the nearest sample's."""
    right = bisect_left(times, moment)
    if right == 0:
        return values[0]
    if right == len(times):
        return values[-1]
    before, after = times[right - 1], times[right]
    share = (moment - before) / (after - before)
    return values[right - 1] + share * (values[right] - values[right - 1])


def rise(samples: Sequence[Sample], counter: str, window: Window) -> float:
    """How much a cumulative counter rose over the window, its edges interpolated; at least 0."""
    times = [sample.time_seconds for sample in samples]
    values = [getattr(sample, counter) for sample in samples]
    end = interpolate(times, values, window.end_seconds)
    return max(0.0, end - interpolate(times, values, window.start_seconds))
