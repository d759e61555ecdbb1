"""How much slower a step is at the window's end than at its beginning."""

from trainmark.analyse.run.drift import drift_percent
from trainmark.analyse.run.recording import Run

TITLE = "Drift of the step time"
UNIT = "%"
NUMBER_FORMAT = "{:+.1f}"
HIGHER_IS_BETTER = False
STAGES = ("train",)


def compute(run: Run) -> float:
    """Percent, last third of the window over its first; raises Absent without step times."""
    return drift_percent(run)
