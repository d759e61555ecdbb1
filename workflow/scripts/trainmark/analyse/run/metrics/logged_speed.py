"""Speed by the log that a framework's own loop or program prints, of the same window."""

from trainmark.analyse.run.recording import Absent, Run

TITLE = "Training speed by the log"
UNIT = "images/s"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = True
STAGES = ("train",)


def compute(run: Run) -> float:
    """Images per second; raises Absent where no log of the framework's own states a speed."""
    if "logged" not in run.events:
        raise Absent("no log of the framework's own states a speed")
    return float(run.event("logged")["images_per_second"])
