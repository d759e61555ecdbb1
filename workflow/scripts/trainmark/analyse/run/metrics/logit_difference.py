"""Largest difference of a logit from that of the framework that trained, by the largest logit."""

from trainmark.analyse.run.agreement import agreed
from trainmark.analyse.run.recording import Run

TITLE = "Logit difference"
UNIT = "relative"
NUMBER_FORMAT = "{:.1e}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """A share; raises Absent where nothing trained by another run is evaluated."""
    return agreed(run, "logit_difference")
