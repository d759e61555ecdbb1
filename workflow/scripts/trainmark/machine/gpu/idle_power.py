"""Power of the GPUs before a run, while they are idle."""

import time
from collections.abc import Sequence

from trainmark.machine.gpu import Gpu
from trainmark.machine.telemetry import INTERVAL_SECONDS

READINGS = 20  # in two seconds


def idle_watts(gpus: Sequence[Gpu]) -> float | None:
    """Lowest power of all `gpus` together in the next readings, ten a second.

    The lowest, since a reading may be the mean of the last second, in which another run ended.
    None, and at once, where there are no GPUs; None where the power of one can't be read.
    """
    readings: list[list[float | None]] = []
    for _ in range(READINGS if gpus else 0):
        readings.append([gpu.power_watts() for gpu in gpus])
        time.sleep(INTERVAL_SECONDS)
    totals = [sum(filter(None, watts)) for watts in readings if None not in watts]
    return min(totals, default=None)


def all_watts(nodes: Sequence[float | None]) -> float | None:
    """Power of all nodes' GPUs, of each by `idle_watts`; None where that of one can't be read."""
    readable = [watts for watts in nodes if watts is not None]
    return sum(readable) if len(readable) == len(nodes) else None
