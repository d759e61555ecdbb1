"""Size of the files that a runtime predicts from."""

from trainmark.analyse.run.agreement import of_model
from trainmark.analyse.run.recording import Run

TITLE = "File size"
UNIT = "MB"
NUMBER_FORMAT = "{:.3g}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Megabytes (1e6); raises Absent for a framework, which has no such file."""
    return of_model(run, "bytes") / 1e6
