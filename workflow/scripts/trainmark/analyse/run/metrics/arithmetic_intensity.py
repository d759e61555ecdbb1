"""Arithmetic of a forward pass for each byte that it moves at least, in float32."""

from trainmark.analyse.run.arithmetic import intensity
from trainmark.analyse.run.recording import Run

TITLE = "Arithmetic intensity"
UNIT = "FLOP/byte"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = True


def compute(run: Run) -> float:
    """Operations per byte; see trainmark.analyse.run.arithmetic."""
    return intensity(run.job)
