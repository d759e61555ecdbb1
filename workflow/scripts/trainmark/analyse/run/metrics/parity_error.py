"""Worst relative difference between the run's first steps and the float64 reference."""

from trainmark.analyse.run.recording import Absent, Run

TITLE = "Parity error"
UNIT = "relative"
NUMBER_FORMAT = "{:.1e}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Worst of all quantities of docs/method/parity.md; raises Absent without a reference."""
    error = run.event("parity")["error"]
    if error is None:
        raise Absent("the parity error is not finite")
    return float(error)


def explains_failure(run: Run) -> bool:
    """Whether a run failed by this very metric, which then says by how much."""
    return run.events.get("parity", {}).get("passed") is False
