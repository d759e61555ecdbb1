"""Time to build the network and to run its first step, before the window."""

from trainmark.analyse.run.recording import Run

TITLE = "Compile time"
UNIT = "s"
NUMBER_FORMAT = "{:,.2f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Seconds of build and first step; importing the framework is not part of it."""
    return float(run.event("built")["build_seconds"] + run.event("first_step")["seconds"])
