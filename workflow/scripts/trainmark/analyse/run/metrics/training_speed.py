"""Images completed in the window per second of it, the device synchronised at both edges."""

from trainmark.analyse.run.recording import Absent, Run

TITLE = "Training speed"
UNIT = "images/s"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = True


def compute(run: Run) -> float:
    """Images per second; raises Absent without a window and where the run doesn't train."""
    if run.job["stage"] != "train":
        raise Absent(f"stage {run.job['stage']} trains nothing")
    return float(run.event("window_end")["images"]) / run.window_seconds
