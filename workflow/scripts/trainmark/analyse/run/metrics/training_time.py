"""The training as configured: warm-up steps and window, without compilation and settling."""

from trainmark.analyse.run.recording import Run

TITLE = "Training time"
UNIT = "s"
NUMBER_FORMAT = "{:,.2f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Seconds; raises Absent without warm-up or window."""
    return float(run.event("warmup")["seconds"]) + run.window_seconds
