"""Images of stage gradients per second of the window, its calls not waited for one by one."""

from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.speed import images_per_second

TITLE = "Gradient speed"
UNIT = "images/s"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = True
STAGES = ("gradients",)


def compute(run: Run) -> float:
    """Images per second; raises Absent in other stages and without a window."""
    return images_per_second(run, "gradients")
