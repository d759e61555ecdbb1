"""GPU energy over the window by integrating the sampled power, summed over the GPUs used."""

from trainmark.analyse.run.integral import integral
from trainmark.analyse.run.recording import Run

TITLE = "GPU energy (sampled)"
UNIT = "J"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Joules by the trapezoidal rule; raises Absent without a GPU, or enough power samples."""
    return sum(map(integral, run.gpu_series("power_watts")))
