"""Training speed per watt, which is images per joule: of the GPUs used, or else of the CPU."""

from trainmark.analyse.run.metrics import energy_per_1000_images
from trainmark.analyse.run.recording import Run

TITLE = "Speed per watt"
UNIT = "images/s/W"
NUMBER_FORMAT = "{:,.2f}"
HIGHER_IS_BETTER = True


def compute(run: Run) -> float:
    """Images per second and watt; raises Absent where no energy can be read."""
    return 1000 / energy_per_1000_images.compute(run)
