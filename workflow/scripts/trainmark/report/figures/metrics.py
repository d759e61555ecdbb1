"""Figures of one metric: bars of all configurations, in a panel for each case."""

from functools import partial
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.charts import panels
from trainmark.report.draw import bars
from trainmark.report.figures import Functions


def figure(metric: str, **_facts: Any) -> Functions:
    """The functions of a metric's figure."""
    return Functions(partial(panels.data, metric=metric), partial(_draw, metric))


def _draw(metric: str, data: pd.DataFrame, title: str, note: str = "") -> Figure:
    return panels.draw(data, metric, title, f"{bars.footnote(data)}\n{note}")


accuracy = figure(
    title="Top-1 accuracy after training",
    metric="accuracy_top1",
    stages=("train",),
)
data_wait = figure(
    title="Share of the window spent waiting for input",
    metric="data_wait",
    stages=("train",),
)
gradient_speed = figure(
    title="Gradient speed",
    metric="gradient_speed",
    stages=("gradients",),
)
inference_speed = figure(
    title="Inference speed",
    metric="inference_speed",
    stages=("infer",),
)
latency = figure(
    title="Latency (median)",
    metric="latency_p50",
    stages=("infer", "gradients"),
)
step_time = figure(
    title="Median time of a training step",
    metric="step_time_median",
    stages=("train",),
)
training_speed = figure(
    title="Training speed",
    metric="training_speed",
    stages=("train",),
)
