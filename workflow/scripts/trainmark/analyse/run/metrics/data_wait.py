"""Share of the window that the loop spent waiting for its next batch."""

from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.run.steps import step_ends

TITLE = "Wait for input"
UNIT = "%"
NUMBER_FORMAT = "{:.1f}"
HIGHER_IS_BETTER = False
STAGES = ("train",)


def compute(run: Run) -> float:
    """Percent of the window; raises Absent where the framework worked while the loop waited."""
    step_ends(run)
    waited = run.event("window_end")["wait_seconds"]
    if waited is None:
        raise Absent(
            "the framework's own program read the input and doesn't say how long it waited"
        )
    return 100 * float(waited) / run.window_seconds
