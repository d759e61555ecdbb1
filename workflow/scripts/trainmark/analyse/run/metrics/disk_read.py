"""Bytes that the run's process tree had read from disks in the window, per second of it.

What was in the page cache isn't read.
"""

from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.traffic import megabytes_per_second

TITLE = "Disk reads"
UNIT = "MB/s"
NUMBER_FORMAT = "{:,.2f}"
UNKNOWN = "Linux doesn't count what these processes read and write"


def compute(run: Run) -> float:
    """Megabytes (1e6) per second; raises Absent where Linux doesn't tell."""
    return megabytes_per_second(run, "own_read_bytes", UNKNOWN)
