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
) -> None:
    """Wait until others use no more than `limit_cores`, or for `longest_seconds`.

    0 seconds measure nothing. `check` is called at each look and may raise.
    """
    start = time.monotonic()
    has_reported, cores = False, 0.0
    while (waited := time.monotonic() - start) < longest_seconds:
        cores = others_cores()
        if cores <= limit_cores:
            return
        check()
        if not has_reported:
            report(f"waiting for a quiet machine: others use {cores:.2f} cores")
        has_reported = True
    if has_reported:
        report(f"no quiet machine after {waited:.0f} s: others use {cores:.2f} cores; going on")


def others_cores() -> float:
    """Cores that other processes use now, less the resolution of the kernel's counters."""
    before, start = machine_cpu_seconds()[0], time.monotonic()
    process_before = time.process_time()
    time.sleep(LOOK_SECONDS)
    busy = machine_cpu_seconds()[0] - before - (time.process_time() - process_before)
    return max(0.0, busy - RESOLUTION_SECONDS) / (time.monotonic() - start)
