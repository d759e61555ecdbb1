"""Input bytes consumed in the window, as stored, per second of it.

A stored image counts with its split's mean size (bytes of the split / images of the split).
"""

from trainmark.analyse.run.recording import Absent, Run

TITLE = "Data rate"
UNIT = "MB/s"
NUMBER_FORMAT = "{:,.2f}"
HIGHER_IS_BETTER = True


def compute(run: Run) -> float:
    """Megabytes (1e6) per second; raises Absent where nothing stored is read while training."""
    if run.job["input_mode"] != "dataset":
        raise Absent(f"input mode {run.job['input_mode']} reads nothing stored while training")
    if not run.dataset:
        raise Absent("the data set's dataset.json is not there any more")
    split = run.dataset["splits"]["train"]
    consumed_bytes = run.event("window_end")["images"] * split["bytes"] / split["count"]
    return float(consumed_bytes) / 1e6 / run.window_seconds
