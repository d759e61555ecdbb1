"""Cores that other processes used, averaged over the window."""

from trainmark.analyse.run.cpu_load import cores
from trainmark.analyse.run.recording import Run

TITLE = "Cores used by others"
UNIT = "cores"
NUMBER_FORMAT = "{:.2f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Cores; raises Absent where the machine's load can't be read."""
    return cores(run, "other_cpu")
