"""Images of stage attack per second of the window: gradients of the logits by their pixels."""

from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.speed import images_per_second

TITLE = "Input gradient speed"
UNIT = "images/s"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = True
STAGES = ("attack",)


def compute(run: Run) -> float:
    """Images per second; raises Absent in other stages and without a window."""
    return images_per_second(run, "attack")
