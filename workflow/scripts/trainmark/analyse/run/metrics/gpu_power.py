"""Mean GPU power over the window: its energy per second, summed over the GPUs used."""

from trainmark.analyse.run.metrics import gpu_energy
from trainmark.analyse.run.recording import Run

TITLE = "GPU power"
UNIT = "W"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Watts; raises Absent without a GPU or where its energy can't be read."""
    return gpu_energy.compute(run) / run.window_seconds
