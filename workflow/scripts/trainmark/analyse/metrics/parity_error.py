"""Worst relative difference between the run's first steps and the float64 reference."""

from trainmark.analyse.run import Absent, Run

TITLE = "Parity error"
UNIT = "relative"
FORMAT = "{:.1e}"
HIGHER_IS_BETTER = False
FAILURE_EVENT = "parity"  # a run that told it has this value, also where it failed by it


def compute(run: Run) -> float:
    """Worst of logits, loss, gradients and update; raises Absent without a reference."""
    error = run.event("parity")["error"]
    if error is None:
        raise Absent("parity was not compared")
    return float(error)
