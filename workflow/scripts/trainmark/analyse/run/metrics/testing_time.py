"""Predicting the whole test split after training, its reading included."""

from trainmark.analyse.run.evaluation import evaluated
from trainmark.analyse.run.recording import Run

TITLE = "Testing time"
UNIT = "s"
NUMBER_FORMAT = "{:,.2f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Seconds; raises Absent where the run evaluated nothing."""
    return evaluated(run, "seconds")
