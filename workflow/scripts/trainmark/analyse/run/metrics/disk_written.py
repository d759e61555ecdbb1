"""Bytes that the run's process tree changed in files on disks in the window, per second of it."""

from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.traffic import megabytes_per_second

TITLE = "Disk writes"
UNIT = "MB/s"
NUMBER_FORMAT = "{:,.2f}"
UNKNOWN = "Linux doesn't count what these processes read and write"


def compute(run: Run) -> float:
    """Megabytes (1e6) per second; raises Absent where Linux doesn't tell."""
    return megabytes_per_second(run, "own_written_bytes", UNKNOWN)
