"""Bytes that the machine sent over its network in the window, per second of it.

Linux counts them by interface, not by process; the loopback isn't among them.
"""

from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.traffic import megabytes_per_second

TITLE = "Network sent (machine)"
UNIT = "MB/s"
NUMBER_FORMAT = "{:,.2f}"
UNKNOWN = "the machine has no network"


def compute(run: Run) -> float:
    """Megabytes (1e6) per second; raises Absent without a network."""
    return megabytes_per_second(run, "network_sent_bytes", UNKNOWN)
