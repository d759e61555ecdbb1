"""Share of the test split that is given the same class as by the framework that trained."""

from trainmark.analyse.run.agreement import agreed
from trainmark.analyse.run.recording import Run

TITLE = "Agreement"
UNIT = "%"
NUMBER_FORMAT = "{:.2f}"
HIGHER_IS_BETTER = True


def compute(run: Run) -> float:
    """Percent; raises Absent where nothing trained by another run is evaluated."""
    return 100 * agreed(run, "same") / agreed(run, "count")
