"""Horizontal bars by framework, device and precision, the best on top."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from trainmark.analyse.compare.configurations import in_its_stages
from trainmark.report.draw import bars, style
from trainmark.report.words import cells
from trainmark.study import axes, plugins

WIDTH_INCHES = 7.2
NAMES = ("framework", "device", "precision")
PALEST = 0.55  # how far to white
FOOTNOTE = "A colour for each framework, the paler the wider the precision."


def data(measurements: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per bar or gap, of the stages that the metric is of."""
    rows = in_its_stages(measurements, metric)
    settings = [name for name in cells.varying(rows) if name not in NAMES]
    return ordered(rows.assign(framework=cells.titles(rows, settings)), metric)


def ordered(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The rows of a ranking in its order: the best first, gaps last.

    Takes columns of `configurations`, with titles as a reader is to see them in framework and
    device: study, machine, framework, adapter (whose colour a bar has), device, precision, n, mean,
    half_width, disturbed, remark; also run_1, run_2, … where the values of single runs exist.
    """
    lowest_first = plugins.facts("metric", metric).get("HIGHER_IS_BETTER") is False
    return rows.sort_values("mean", ascending=lowest_first, kind="stable", ignore_index=True)


def draw(data: pd.DataFrame, metric: str, title: str, notes: str) -> Figure:
    """Draw the bars from zero, each with its value."""
    height = bars.CASE_INCHES + bars.BAR_INCHES * len(data)
    figure = style.framed(WIDTH_INCHES, height, title, data, f"{FOOTNOTE}\n{notes}")
    panel = figure.subplots()
    bars.draw_rows(panel, data, colours(data), metric)
    panel.set_yticks(range(len(data)), labels(data), fontfamily="DejaVu Sans Mono", fontsize=7.5)
    panel.set_ylim(len(data) - 0.4, -0.6)
    if data["n"].any():
        panel.set_xlabel(cells.unit(metric, data["network"]), fontsize=8, loc="left")
    return figure


def labels(data: pd.DataFrame) -> list[str]:
    """The name of each bar, in aligned columns, for a font of one width."""
    widths = {name: max(map(len, data[name]), default=0) for name in NAMES}
    rows = data[list(NAMES)].to_dict("records")
    return ["  ".join(row[name].ljust(widths[name]) for name in NAMES) for row in rows]


def colours(data: pd.DataFrame) -> list[str]:
    """The colour of each bar: its adapter's, the paler the wider the precision is."""
    present = [name for name in axes.values("precision") if name in set(data["precision"])]
    shades = dict(zip(reversed(present), np.linspace(0, PALEST, len(present)), strict=True))
    pairs = zip(data["adapter"], data["precision"].map(shades), strict=True)
    return [style.lighter(style.adapter_colour(adapter), shade) for adapter, shade in pairs]
