"""Images of the test split that were predicted here and by the framework that trained."""

from trainmark.analyse.run.agreement import agreed
from trainmark.analyse.run.recording import Run

TITLE = "Images compared"
UNIT = "images"
NUMBER_FORMAT = "{:,.0f}"


def compute(run: Run) -> float:
    """Images; raises Absent where nothing trained by another run is evaluated."""
    return agreed(run, "count")
