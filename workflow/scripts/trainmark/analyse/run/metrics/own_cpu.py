"""Cores that the run's process tree used, averaged over the window."""

from trainmark.analyse.run.cpu_load import cores
from trainmark.analyse.run.recording import Run

TITLE = "Cores used"
UNIT = "cores"
NUMBER_FORMAT = "{:.2f}"


def compute(run: Run) -> float:
    """Cores; raises Absent where the machine's load can't be read."""
    return cores(run, "own_cpu")
