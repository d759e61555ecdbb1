"""Cores that the kernel used for the run's process tree, averaged over the window."""

from trainmark.analyse.run.integral import rise
from trainmark.analyse.run.recording import Run

TITLE = "Cores used by the kernel"
UNIT = "cores"
NUMBER_FORMAT = "{:.2f}"


def compute(run: Run) -> float:
    """Cores; raises Absent where telemetry doesn't tell."""
    return rise(run.series("own_system_seconds")) / run.window_seconds
