"""Resident memory of the run's process tree, averaged over the window."""

from trainmark.analyse.run.integral import integral
from trainmark.analyse.run.recording import Run

TITLE = "Mean memory"
UNIT = "MiB"
NUMBER_FORMAT = "{:,.0f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Mebibytes, averaged over time; raises Absent where telemetry doesn't tell."""
    return integral(run.series("own_memory_bytes")) / run.window_seconds / 2**20
