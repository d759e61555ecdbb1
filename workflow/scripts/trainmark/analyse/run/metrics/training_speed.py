"""Images completed in the window per second of it, the device synchronised at both edges."""

from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.speed import images_per_second

TITLE = "Training speed"
UNIT = "images/s"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = True
STAGES = ("train",)


def compute(run: Run) -> float:
    """Images per second; raises Absent without a window and where the run doesn't train."""
    return images_per_second(run, "train")
