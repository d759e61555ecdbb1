"""Images that the network learnt from: those of the warm-up steps and of the window."""

from trainmark.analyse.run.recording import Absent, Run

TITLE = "Images trained on"
UNIT = "images"
NUMBER_FORMAT = "{:,.0f}"
STAGES = ("train",)


def compute(run: Run) -> float:
    """Count, images of later epochs counted again; raises Absent where the run doesn't train."""
    if run.job["stage"] != "train":
        raise Absent(f"stage {run.job['stage']} trains nothing")
    before = int(run.event("warmup")["steps"]) * int(run.job["batch_size"])
    return float(before + run.event("window_end")["images"])
