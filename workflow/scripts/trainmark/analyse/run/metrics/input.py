"""How fast the input is, and how long the loop waits for it."""

import math

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.metrics.speed import images_per_second
from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.run.steps import step_ends


@metric(
    title="Data rate",
    unit="MB/s",
    number_format="{:,.2f}",
    higher_is_better=True,
    stages=("train",),
)
def data_rate(run: Run) -> float:
    """Input bytes consumed in the window, as stored, per second of it.

    A stored image counts with its split's mean size (bytes of the split / images of the split).

    Megabytes (1e6) per second; raises Absent where nothing stored is read while training.
    """
    if run.job["stage"] != "train":
        raise Absent(f"stage {run.job['stage']} trains nothing")
    if run.job["input_mode"] != "dataset":
        raise Absent(f"input mode {run.job['input_mode']} reads nothing stored while training")
    if not run.dataset:
        raise Absent("the data set's dataset.json is not there any more")
    split = run.dataset["splits"]["train"]
    consumed_bytes = run.event("window_end")["images"] * split["bytes"] / split["count"]
    return float(consumed_bytes) / 1e6 / run.window_seconds


@metric(
    title="Pixel rate",
    unit="MB/s",
    number_format="{:,.2f}",
    higher_is_better=True,
    stages=("train",),
)
def pixel_rate(run: Run) -> float:
    """Bytes of the pixels that were trained on in the window, per second of it.

    One byte for each value of an image as the network takes it, however it is stored.

    Megabytes (1e6) per second; raises Absent where the run doesn't train.
    """
    image_bytes: int = math.prod(run.job["image_shape"])
    return images_per_second(run, "train") * image_bytes / 1e6


@metric(
    title="Wait for input",
    unit="%",
    number_format="{:.1f}",
    higher_is_better=False,
    stages=("train",),
)
def data_wait(run: Run) -> float:
    """Share of the window that the loop spent waiting for its next batch.

    Percent of the window; raises Absent where the framework worked while the loop waited.
    """
    step_ends(run)
    waited = run.event("window_end")["wait_seconds"]
    if waited is None:
        raise Absent(
            "the framework's own program read the input and doesn't say how long it waited"
        )
    return 100 * float(waited) / run.window_seconds
