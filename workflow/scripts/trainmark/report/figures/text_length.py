"""Tokens per second and memory by the number of tokens of a text."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.compare.configurations import configurations
from trainmark.report.draw import curves, style
from trainmark.report.words import cells
from trainmark.study.axes import CONFIGURATION

TITLE = "Speed and memory by the length of texts"
STAGES = ("train", "infer")
OF_TEXT = True
METRICS = ("token_speed", "cpu_memory", "gpu_memory")
NOTE = "Points: means over the runs of cases of one network. Both axes are logarithmic."


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per metric and configuration with a value, by rising number of `tokens`."""
    chosen = measurements[measurements["stage"].isin(STAGES)]
    columns = [*CONFIGURATION, "machine", "disturbed", "mean"]
    tables = {metric: configurations(chosen, metric).reindex(columns=columns) for metric in METRICS}
    speeds = (
        configurations(chosen, "training_speed")["mean"]
        .astype(float)
        .combine_first(configurations(chosen, "inference_speed")["mean"].astype(float))
    )
    tokens = tables["token_speed"]["mean"].astype(float) / speeds
    points = pd.concat(
        [table.assign(metric=metric, tokens=tokens) for metric, table in tables.items()],
        ignore_index=True,
    ).dropna(subset=["mean", "tokens"])
    # Cases of one network are points of one curve: by length, their data sets and batches differ.
    # Curves differ by the tokens of a batch.
    length = np.rint(points["tokens"]).astype(int)
    in_batch = length * points["batch_size"]
    alike = points.assign(case=points["network"], dataset="", tokens=length, batch_size=in_batch)
    # A network of a single length has no curve; where all are so, their points are shown.
    several = alike.groupby("network")["tokens"].transform("nunique") > 1
    shown = alike[several] if several.any() else alike
    named = curves.with_labels(shown.sort_values("tokens", kind="stable", ignore_index=True))
    return named.assign(quantity=named["metric"].map(cells.heading))


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A panel for each network and metric, a curve for each framework."""
    return curves.panels(data, title, f"{NOTE}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    for curve, line in curves.lines(rows, colours):
        axes.plot(curve["tokens"], curve["mean"], marker="o", ms=3, gid="curve", **line)
    style.logarithmic(axes, "x", rows["tokens"])
    style.logarithmic(axes, "y", rows["mean"].astype(float))
    curves.finish(axes, rows, "tokens of a text", rows["quantity"].iloc[0])
