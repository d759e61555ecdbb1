"""Settling: steps until their times show no trend."""

import math
import time
from typing import Any, Callable, Dict, List, Sequence

BLOCKS = 8  # the number of blocks whose times are compared
BLOCK_SECONDS = 0.1  # a block's minimum, so that the scheduler's noise doesn't matter
TREND = 1.645  # standard deviations; a two-sided p-value of 0.1


def settle(
    step: Callable[[], Any],
    synchronise: Callable[[], Any],
    least_seconds: float,
    limit_seconds: float,
) -> Dict[str, Any]:
    """Call `step` until the times of the last blocks of steps show no trend.

    Settling takes at least `least_seconds` and ends with the first block after `limit_seconds`.
    Returns the number of steps, their seconds, whether they were steady at the end (None if the
    limit came before BLOCKS blocks), and the milliseconds per step of each block.
    """
    start = time.monotonic()
    size, steps = 1, 0
    times: List[float] = []
    while True:
        seconds = block(step, synchronise, size)
        steps += size
        times.append(1000 * seconds / size)
        passed = time.monotonic() - start
        is_steady = not has_trend(times[-BLOCKS:]) if len(times) >= BLOCKS else None
        if (is_steady and passed >= least_seconds) or passed >= limit_seconds:
            return dict(steps=steps, seconds=passed, steady=is_steady, step_milliseconds=times)
        if seconds < BLOCK_SECONDS:
            size, times = 2 * size, []


def block(step: Callable[[], Any], synchronise: Callable[[], Any], size: int) -> float:
    """The seconds of `size` steps, until the work that they queued is done."""
    start = time.monotonic()
    for _ in range(size):
        step()
    synchronise()
    return time.monotonic() - start


def has_trend(values: Sequence[float]) -> bool:
    """Whether values rise or fall significantly (Mann-Kendall test: Mann 1945, Kendall 1975)."""
    n = len(values)
    pairs = [(values[i], values[j]) for i in range(n) for j in range(i + 1, n)]
    score = abs(sum((later > earlier) - (later < earlier) for earlier, later in pairs))
    deviation = math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
    return score - 1 > TREND * deviation
