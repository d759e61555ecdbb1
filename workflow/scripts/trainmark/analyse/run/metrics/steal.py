"""Cores that the hypervisor gave to other machines, averaged over the window."""

from trainmark.analyse.run.cpu_load import cores
from trainmark.analyse.run.recording import Run

TITLE = "Cores stolen"
UNIT = "cores"
NUMBER_FORMAT = "{:.2f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Cores; raises Absent where the machine's load can't be read."""
    return cores(run, "steal")
