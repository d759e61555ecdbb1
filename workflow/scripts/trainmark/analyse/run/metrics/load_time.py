"""Time in which a runtime loads its first model from the files on the disk, before any call."""

from trainmark.analyse.run.agreement import of_model
from trainmark.analyse.run.recording import Run

TITLE = "Load time"
UNIT = "ms"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Milliseconds; raises Absent for a framework, which has no such file."""
    return 1000 * of_model(run, "load_seconds")
