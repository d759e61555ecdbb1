"""Arithmetic of a network, and the arithmetic per second of a run."""

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.metrics.speed import require_images
from trainmark.analyse.run.recording import Run
from trainmark.study.arithmetic import depth, intensity, multiply_adds


@metric(
    title="Achieved arithmetic",
    unit="GFLOP/s",
    number_format="{:,.1f}",
    higher_is_better=True,
)
def achieved_gflops(run: Run) -> float:
    """Arithmetic of the network per second of the window.

    Each multiply-add counts as two operations. What a framework computes beside the network's own
    multiply-adds isn't counted. Billions of operations per second; raises Absent without a window.
    """
    images = float(run.event("window_end")["images"])
    return 2 * multiply_adds(run.job) * images / run.window_seconds / 1e9


@metric(
    title="Arithmetic intensity",
    unit="FLOP/byte",
    number_format="{:,.1f}",
    higher_is_better=True,
)
def arithmetic_intensity(run: Run) -> float:
    """Arithmetic of a forward pass for each byte that it moves at least, in float32.

    Operations per byte of `intensity`; raises Absent in stage generate, whose calls read a token.
    """
    require_images(run)
    return intensity(run.job)


@metric(
    title="Depth of the network",
    unit="layers",
    number_format="{:,.0f}",
)
def network_depth(run: Run) -> float:
    """Layers with multiply-adds on the longest path from the input to the logits."""
    return float(depth(run.job))
