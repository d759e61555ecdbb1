"""Share of the window that the loop spent waiting for its next batch."""

from trainmark.analyse.run import Run

TITLE = "Wait for input"
UNIT = "%"
FORMAT = "{:.1f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Percent of the window; raises Absent without a window."""
    return 100 * float(run.event("window_end")["wait_seconds"]) / run.window_seconds
