"""Arithmetic of the network per second of the window: each multiply-add counts as two operations.

What a framework computes beside the network's own multiply-adds isn't counted.
"""

from trainmark.analyse.run.arithmetic import multiply_adds
from trainmark.analyse.run.recording import Run

TITLE = "Achieved arithmetic"
UNIT = "GFLOP/s"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = True


def compute(run: Run) -> float:
    """Billions of operations per second; raises Absent without a window."""
    images = float(run.event("window_end")["images"])
    return 2 * multiply_adds(run.job) * images / run.window_seconds / 1e9
