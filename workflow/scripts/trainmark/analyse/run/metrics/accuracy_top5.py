"""Share of the test split's images whose class is among the first five answers."""

from trainmark.analyse.run.evaluation import evaluated
from trainmark.analyse.run.recording import Run

TITLE = "Top-5 accuracy"
UNIT = "%"
NUMBER_FORMAT = "{:.2f}"
HIGHER_IS_BETTER = True
HIGHEST = 100


def compute(run: Run) -> float:
    """Percent of the whole test split; raises Absent where the run evaluated nothing."""
    return evaluated(run, "top5")
