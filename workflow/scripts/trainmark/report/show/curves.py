"""Curves of a framework's configurations, one panel per case and stage, with logarithmic axes."""

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.report.show import bars, cells

PANEL_INCHES = 3.4
STYLES = ("-", "--", "-.", ":")  # of what differs beside the framework


def labels(table: pd.DataFrame, besides: tuple[str, ...]) -> list[str]:
    """Name each curve by framework and by the settings that differ, except some."""
    settings = [name for name in cells.varying(table) if name not in besides]
    return cells.titles(table, settings)


def panels(data: pd.DataFrame, title: str, note: str, draw: Callable[..., None]) -> Figure:
    """A panel for each case, with the curves that `draw(axes, rows, colours=colours)` makes."""
    return bars.panels(data, title, note, draw, lambda rows: PANEL_INCHES)


def plot(axes: Axes, rows: pd.DataFrame, colours: dict[str, str], x: str, y: str) -> None:
    """Plot a curve through its points for each label."""
    for curve, line in _lines(rows, colours):
        axes.plot(curve[x], curve[y], marker="o", ms=3, gid="curve", **line)


def steps(axes: Axes, rows: pd.DataFrame, colours: dict[str, str], x: str, y: str) -> None:
    """Plot a curve that rises at its points alone for each label."""
    for curve, line in _lines(rows, colours):
        axes.step(curve[x], curve[y], where="post", gid="curve", **line)


def finish(axes: Axes, rows: pd.DataFrame, x: str, y: str) -> None:
    """Logarithmic axes, their titles, the panel's title and the legend."""
    for axis, text in ((axes.xaxis, x), (axes.yaxis, y)):
        axis.set_label_text(text, fontsize=8)
    axes.set_title(rows["case"].iloc[0])
    axes.grid(which="both")
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))


def _lines(
    rows: pd.DataFrame, colours: dict[str, str]
) -> Iterator[tuple[pd.DataFrame, dict[str, Any]]]:
    """Each label's rows, and the look of its line: a framework's lines differ in their dashes."""
    seen: dict[str, Iterator[str]] = {}
    for label, curve in rows.groupby("label", sort=False):
        framework = str(curve["framework"].iloc[0])
        dashes = next(seen.setdefault(framework, cycle(STYLES)))
        yield curve, {"color": colours[framework], "ls": dashes, "lw": 1.2, "label": str(label)}
