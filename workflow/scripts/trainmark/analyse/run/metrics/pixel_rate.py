"""Bytes of the pixels that were trained on in the window, per second of it.

One byte for each value of an image as the network takes it, however it is stored.
"""

import math

from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.speed import images_per_second

TITLE = "Pixel rate"
UNIT = "MB/s"
NUMBER_FORMAT = "{:,.2f}"
HIGHER_IS_BETTER = True
STAGES = ("train",)


def compute(run: Run) -> float:
    """Megabytes (1e6) per second; raises Absent where the run doesn't train."""
    image_bytes: int = math.prod(run.job["image_shape"])
    return images_per_second(run, "train") * image_bytes / 1e6
