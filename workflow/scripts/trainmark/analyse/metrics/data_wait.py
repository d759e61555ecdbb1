"""Share of the window that the loop spent waiting for its next batch."""

from trainmark.analyse.run import Run
from trainmark.analyse.steps import step_ends

TITLE = "Wait for input"
UNIT = "%"
FORMAT = "{:.1f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Percent of the window; raises Absent where the framework worked while the loop waited."""
    step_ends(run)
    return 100 * float(run.event("window_end")["wait_seconds"]) / run.window_seconds
