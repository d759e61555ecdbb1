"""Tokens per second, and the loss of language models."""

import math

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run
from worker import networks


@metric(
    title="Token speed",
    unit="tokens/s",
    number_format="{:,.0f}",
    higher_is_better=True,
)
def token_speed(run: Run) -> float:
    """Tokens of text of the window per second of it, the device synchronised at both edges.

    Tokens per second; raises Absent without a window, and where the network reads no text.
    """
    if not networks.reads_bytes(run.job["network"]):
        raise Absent(f"{run.job['network']} reads no text")
    images = float(run.event("window_end")["images"])
    return images * math.prod(run.job["image_shape"]) / run.window_seconds


@metric(
    title="Bits per byte",
    unit="bits",
    number_format="{:.3f}",
    higher_is_better=False,
)
def bits_per_byte(run: Run) -> float:
    """Mean cross entropy of the test split's bytes after softmax, by the logarithm to base 2.

    Bits; raises Absent where the run evaluated nothing, and where the network is no language model.
    """
    if not networks.is_language_model(run.job["network"]):
        raise Absent(f"{run.job['network']} is no language model")
    if not run.job["evaluate"]:
        raise Absent("the case asks for no evaluation")
    loss = run.event("evaluation").get("loss")
    if loss is None:
        raise Absent("the evaluation has no loss")
    return float(loss) / math.log(2)
