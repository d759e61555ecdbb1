"""Speed by the log, relative to that by the clock: of the same steps, in the same run."""

from trainmark.analyse.run.metrics import logged_speed, training_speed
from trainmark.analyse.run.recording import Run

TITLE = "Speed by the log, of that by the clock"
UNIT = "%"
NUMBER_FORMAT = "{:.1f}"
HIGHER_IS_BETTER = True
STAGES = ("train",)


def compute(run: Run) -> float:
    """Percent; raises Absent where there is no such log."""
    return 100 * logged_speed.compute(run) / training_speed.compute(run)
