"""GPU memory of the run's processes, averaged over the window, summed over the GPUs used."""

from trainmark.analyse.run.integral import integral
from trainmark.analyse.run.recording import Run

TITLE = "Mean GPU memory"
UNIT = "MiB"
NUMBER_FORMAT = "{:,.0f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Mebibytes, averaged over time; raises Absent without a GPU."""
    byte_seconds = sum(integral(series) for series in run.gpu_series("memory_bytes"))
    return byte_seconds / run.window_seconds / 2**20
