"""Waiting for a quiet machine, before a run begins."""

import time
from collections.abc import Callable

from trainmark.machine.cpu_load import RESOLUTION_SECONDS
from trainmark.machine.telemetry import machine_cpu_seconds

LOOK_SECONDS = 0.5


def wait_until_quiet(
    limit_cores: float,
    longest_seconds: float,
    report: Callable[[str], None],
    check: Callable[[], None],
) -> float:
    """Wait until others use no more than `limit_cores`, or as long as is allowed; seconds waited.

    `check` is called at each look and may raise. With no time allowed it doesn't even look.
    """
    start = time.monotonic()
    told, cores = False, 0.0
    while time.monotonic() - start < longest_seconds:
        looked = time.monotonic()
        cores = others_cores()
        if cores <= limit_cores:
            return round(looked - start, 3)
        check()
        if not told:
            report(f"waiting for a quiet machine: others use {cores:.2f} cores")
        told = True
    waited = round(time.monotonic() - start, 3)
    if told:
        report(f"no quiet machine after {waited:.0f} s: others use {cores:.2f} cores; going on")
    return waited


def others_cores() -> float:
    """Cores that other processes use at this moment, less what the kernel's counters can't tell."""
    before, own, start = machine_cpu_seconds()[0], time.process_time(), time.monotonic()
    time.sleep(LOOK_SECONDS)
    busy = machine_cpu_seconds()[0] - before - (time.process_time() - own)
    return max(0.0, busy - RESOLUTION_SECONDS) / (time.monotonic() - start)
