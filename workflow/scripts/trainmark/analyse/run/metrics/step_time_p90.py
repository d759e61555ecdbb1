"""90th percentile of the time of a step, from one return of the training step to the next."""

from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.steps import step_milliseconds

TITLE = "Step time (90th percentile)"
UNIT = "ms"
NUMBER_FORMAT = "{:,.2f}"
HIGHER_IS_BETTER = False
STAGES = ("train",)


def compute(run: Run) -> float:
    """Milliseconds; raises Absent without steps."""
    return step_milliseconds(run, percentile=90)
