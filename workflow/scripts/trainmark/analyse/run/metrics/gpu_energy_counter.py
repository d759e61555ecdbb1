"""GPU energy over the window by the boards' own counters, summed over the GPUs used."""

from trainmark.analyse.run.integral import rise
from trainmark.analyse.run.recording import Run

TITLE = "GPU energy (counter)"
UNIT = "J"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Joules; raises Absent without a GPU, or where one has no counter or had it reset."""
    return sum(map(rise, run.gpu_series("energy_joules")))
