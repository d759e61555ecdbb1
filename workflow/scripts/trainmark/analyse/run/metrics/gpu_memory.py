"""Highest GPU memory of the run's processes in the window, summed over the GPUs used.

Where the driver can't tell processes apart, it is all memory in use on the board; a run's
provenance says which (memory_method).
"""

from trainmark.analyse.run.recording import Run

TITLE = "Peak GPU memory"
UNIT = "MiB"
NUMBER_FORMAT = "{:,.0f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Mebibytes, each GPU at its own peak; raises Absent without a GPU."""
    return float(sum(series.max() for series in run.gpu_series("memory_bytes"))) / 2**20
