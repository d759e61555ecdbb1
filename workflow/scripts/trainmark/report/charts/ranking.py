"""Horizontal bars of images per second by framework, device and precision, the fastest on top."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from trainmark.analyse.compare.configurations import configurations, of_its_stages
from trainmark.report.draw import bars, style
from trainmark.report.words import cells
from trainmark.study import axes

WIDTH_INCHES = 7.2
NAMES = ("framework", "device", "precision")
PALEST = 0.55  # how far to white
NUMBER_FORMAT = "{:,.1f}"
FOOTNOTE = "A colour for each framework, the paler the wider the precision."


def of_metric(measurements: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The data of a metric's ranking: of the stages that the metric is of."""
    rows = of_its_stages(configurations(measurements, metric), metric)
    settings = [name for name in cells.varying(rows) if name not in (*NAMES, "stage")]
    return data(rows.assign(framework=cells.titles(rows, settings)))


def data(rows: pd.DataFrame) -> pd.DataFrame:
    """One row per bar or gap: the fastest on top, gaps last.

    Takes columns of `configurations`, with titles as a reader is to see them in framework and
    device: study, machine, framework, adapter (whose colour a bar has), device, precision, n, mean
    (images/s), half_width, disturbed, remark; also run_1, run_2, … where single runs are known.
    """
    return rows.sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Draw the bars from zero, each with its value; the lines of `note` go below them."""
    height = bars.CASE_INCHES + bars.BAR_INCHES * len(data)
    figure = style.framed(WIDTH_INCHES, height, title, data, f"{FOOTNOTE}\n{note}")
    panel = figure.subplots()
    end = bars.draw_rows(panel, data, colours(data), _value)
    panel.set_yticks(range(len(data)), labels(data), fontfamily="DejaVu Sans Mono", fontsize=7.5)
    panel.set_ylim(len(data) - 0.4, -0.6)
    if data["n"].any():
        panel.set_xlabel("images/s", fontsize=8, loc="left")
        style.scale(panel, end or 1.0)  # 1 where all values are zero
    else:
        panel.set_xticks([])
    return figure


def labels(data: pd.DataFrame) -> list[str]:
    """What each bar is, in columns as those of a table, for a font of one width."""
    columns = [data[name].str.ljust(data[name].str.len().max()) for name in NAMES]
    return ["  ".join(names) for names in zip(*columns, strict=True)]


def colours(data: pd.DataFrame) -> list[str]:
    """The colour of each bar: its adapter's, the paler the wider the precision is."""
    present = [name for name in axes.values("precision") if name in set(data["precision"])]
    shades = dict(zip(reversed(present), np.linspace(0, PALEST, len(present)), strict=True))
    pairs = zip(data["adapter"], data["precision"].map(shades), strict=True)
    return [style.lighter(style.adapter_colour(adapter), shade) for adapter, shade in pairs]


def _value(row: Any) -> str:
    return cells.formatted(NUMBER_FORMAT, row.mean, row.half_width) + bars.marks(row)
