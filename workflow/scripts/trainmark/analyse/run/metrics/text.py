"""Text: tokens per second, read and generated."""

import math

import numpy as np

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.metrics.speed import images_per_second, require_images
from trainmark.analyse.run.recording import Absent, Run
from trainmark.study.stages import GENERATION
from worker import networks


@metric(
    title="Token speed",
    unit="tokens/s",
    number_format="{:,.0f}",
    higher_is_better=True,
)
def token_speed(run: Run) -> float:
    """Tokens of text of the window per second of it, the device synchronised at both edges.

    Tokens per second; raises Absent without a window, where the network reads no text, and where it
    generates.
    """
    require_images(run)
    if not networks.reads_text(run.job["network"]):
        raise Absent(f"{run.job['network']} reads no text")
    images, tokens = run.event("window_end")["images"], math.prod(run.job["image_shape"])
    return float(images * tokens / run.window_seconds)


@metric(
    title="Generation speed",
    unit="tokens/s",
    number_format="{:,.0f}",
    higher_is_better=True,
    stages=("generate",),
)
def generation_speed(run: Run) -> float:
    """Generated tokens of the window per second of it, prefills included, no token waited for.

    Tokens of all texts of a batch per second; raises Absent in other stages and without a window.
    """
    return images_per_second(run, GENERATION)


@metric(
    title="Time to first token",
    unit="ms",
    number_format="{:,.2f}",
    higher_is_better=False,
    stages=("generate",),
)
def time_to_first_token(run: Run) -> float:
    """Median time of a prefill, which reads the prompts and gives the first token of each.

    Milliseconds, each waited for; raises Absent in other stages.
    """
    if run.job["stage"] != GENERATION:
        raise Absent(f"a run of stage {run.job['stage']}, not generate")
    return 1000 * float(np.median(run.event("prefill")["call_seconds"]))
