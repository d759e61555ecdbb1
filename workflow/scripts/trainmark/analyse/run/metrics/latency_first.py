"""Time of the first call, in which frameworks compile or choose what they compute with."""

from trainmark.analyse.run.recording import Run

TITLE = "Latency (first call)"
UNIT = "ms"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Milliseconds of the first call of what the stage times, before anything is settled."""
    return 1000 * float(run.event("first_step")["seconds"])
