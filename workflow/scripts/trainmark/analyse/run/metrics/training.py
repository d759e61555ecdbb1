"""How long the training takes, and from how many images the network learns."""

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run


@metric(
    title="Training time",
    unit="s",
    number_format="{:,.2f}",
    higher_is_better=False,
    stages=("train",),
)
def training_time(run: Run) -> float:
    """The training as configured: warm-up steps and window, without compilation and settling.

    Seconds; raises Absent without warm-up or window, and where the run doesn't train.
    """
    if run.job["stage"] != "train":
        raise Absent(f"stage {run.job['stage']} trains nothing")
    return float(run.event("warmup")["seconds"]) + run.window_seconds


@metric(
    title="Compile time",
    unit="s",
    number_format="{:,.2f}",
    higher_is_better=False,
)
def compile_time(run: Run) -> float:
    """Time to build the network and to run its first step, before the window.

    Seconds of build and first step; importing the framework is not part of it.
    """
    return float(run.event("built")["build_seconds"] + run.event("first_step")["seconds"])


@metric(
    title="Images trained on",
    unit="images",
    number_format="{:,.0f}",
    stages=("train",),
)
def images_trained(run: Run) -> float:
    """Images that the network learnt from: those of the warm-up steps and of the window.

    Count, images of later epochs counted again; raises Absent where the run doesn't train.
    """
    if run.job["stage"] != "train":
        raise Absent(f"stage {run.job['stage']} trains nothing")
    before = int(run.event("warmup")["steps"]) * int(run.job["batch_size"])
    return float(before + run.event("window_end")["images"])
