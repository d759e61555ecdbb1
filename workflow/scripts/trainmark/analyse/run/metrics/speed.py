"""Images per second of the window, the device synchronised at both of its edges."""

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run
from trainmark.study.stages import GENERATION


@metric(
    title="Training speed",
    unit="images/s",
    number_format="{:,.1f}",
    higher_is_better=True,
    stages=("train",),
)
def training_speed(run: Run) -> float:
    """Images completed in the window per second of it, the device synchronised at both edges.

    Images per second; raises Absent without a window and where the run doesn't train.
    """
    return images_per_second(run, "train")


@metric(
    title="Inference speed",
    unit="images/s",
    number_format="{:,.1f}",
    higher_is_better=True,
    stages=("infer",),
)
def inference_speed(run: Run) -> float:
    """Images of stage infer per second of the window, its calls not waited for one by one.

    Images per second; raises Absent in other stages and without a window.
    """
    return images_per_second(run, "infer")


@metric(
    title="Gradient speed",
    unit="images/s",
    number_format="{:,.1f}",
    higher_is_better=True,
    stages=("gradients",),
)
def gradient_speed(run: Run) -> float:
    """Images of stage gradients per second of the window, its calls not waited for one by one.

    Images per second; raises Absent in other stages and without a window.
    """
    return images_per_second(run, "gradients")


@metric(
    title="Input gradient speed",
    unit="images/s",
    number_format="{:,.1f}",
    higher_is_better=True,
    stages=("attack",),
)
def input_gradient_speed(run: Run) -> float:
    """Images of stage attack per second of the window: gradients of the logits by their pixels.

    Images per second; raises Absent in other stages and without a window.
    """
    return images_per_second(run, "attack")


def require_images(run: Run) -> None:
    """Raise Absent for a run of stage generate, which counts tokens instead of images."""
    if run.job["stage"] == GENERATION:
        raise Absent("a run of stage generate, which counts tokens")


def images_per_second(run: Run, stage: str) -> float:
    """The speed of a run of one stage; raises Absent for one of another, or without a window."""
    if run.job["stage"] != stage:
        raise Absent(f"a run of stage {run.job['stage']}, not {stage}")
    return float(run.event("window_end")["images"]) / run.window_seconds
