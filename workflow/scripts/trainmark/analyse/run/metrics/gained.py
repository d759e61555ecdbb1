"""Images of the test split that are recognised here, and not by the framework that trained."""

from trainmark.analyse.run.agreement import agreed
from trainmark.analyse.run.recording import Run

TITLE = "Recognised here alone"
UNIT = "images"
NUMBER_FORMAT = "{:,.0f}"
HIGHER_IS_BETTER = True


def compute(run: Run) -> float:
    """Images; raises Absent where nothing trained by another run is evaluated."""
    return agreed(run, "gained")
