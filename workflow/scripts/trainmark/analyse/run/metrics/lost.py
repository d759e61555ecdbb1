"""Images of the test split that only the framework recognises that trained."""

from trainmark.analyse.run.agreement import agreed
from trainmark.analyse.run.recording import Run

TITLE = "No longer recognised"
UNIT = "images"
NUMBER_FORMAT = "{:,.0f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Images; raises Absent where nothing trained by another run is evaluated."""
    return agreed(run, "lost")
