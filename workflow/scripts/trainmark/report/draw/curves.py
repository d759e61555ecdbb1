"""Curves of frameworks and their settings, in panels."""

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.report.draw import bars
from trainmark.report.words import cells

PANEL_INCHES = 3.4
LABEL_INCHES = 0.15  # of a line of the legend
MOST_RUNS = 10
EACH_RUN = f"A line for each run of the first {MOST_RUNS} repeats"
"""The runs in a figure of single runs: more can't be told apart by eye."""
DISTURBED = "Some runs were disturbed at each attempt: tables mark them."
Panel = Callable[..., None]
"""A function (axes, rows, colours=colours) that draws a panel."""
STYLES = ("-", "--", "-.", ":")  # of what differs beside the framework
MARKERS = dict(zip(STYLES, "osD^", strict=True))


def with_labels(table: pd.DataFrame, x: str = "", by: tuple[str, ...] = ()) -> pd.DataFrame:
    """The rows of a table with columns `label`, of their curve, and `panel`.

    A curve is a framework's, and of one value of each setting that differs, except that along `x`
    and those that make a panel each, as the case does (`by`).
    """
    differing = cells.varying(table)
    parts = [cells.settings(table, name) for name in by if name in differing]
    others = [name for name in differing if name not in (x, *by)]
    points = table.copy()
    points.insert(0, "label", cells.titles(table, others))
    points.insert(0, "panel", [", ".join(each) for each in zip(table["case"], *parts, strict=True)])
    return points


def of_first_runs(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the runs that figures of single runs show."""
    return table[table["repeat"] <= MOST_RUNS].reset_index(drop=True)


def height(rows: pd.DataFrame) -> float:
    """The inches of a panel, which is as high as its legend at least."""
    labels = rows["label"].nunique() if "label" in rows else 0
    return max(PANEL_INCHES, LABEL_INCHES * (labels + 4))


def panels(
    data: pd.DataFrame,
    title: str,
    note: str,
    draw: Panel,
    inches: Callable[[pd.DataFrame], float] = height,
) -> Figure:
    """A panel for each of its values, `inches(rows)` high; the note tells of disturbed runs."""
    notes = f"{DISTURBED}\n{note}" if data["disturbed"].any() else note
    return bars.panels(data, title, notes, draw, inches)


def steps(axes: Axes, rows: pd.DataFrame, colours: dict[str, str], x: str, y: str) -> None:
    """Plot a curve that rises at its points alone for each label."""
    for curve, line in lines(rows, colours):
        axes.step(curve[x], curve[y], where="post", gid="curve", **line)


def runs(
    axes: Axes, rows: pd.DataFrame, colours: dict[str, str], x: str, y: str, **look: Any
) -> None:
    """Plot a curve through its points for each run, with a `look`; those of a label look alike."""
    for curve, line in lines(rows, colours):
        axes.plot([], [], **line)
        for _, run in curve.groupby("repeat"):
            axes.plot(run[x], run[y], gid="curve", **{**line, "label": None, **look})


def finish(axes: Axes, rows: pd.DataFrame, x: str, y: str) -> None:
    """Titles of the axes and of the panel, and the legend."""
    for axis, text in ((axes.xaxis, x), (axes.yaxis, y)):
        axis.set_label_text(text, fontsize=8)
    axes.set_title(rows["panel"].iloc[0])
    axes.grid(which="both")
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))


def lines(
    rows: pd.DataFrame, colours: dict[str, str]
) -> Iterator[tuple[pd.DataFrame, dict[str, Any]]]:
    """Each label's rows, and the look of its line: a framework's lines differ in their dashes."""
    seen: dict[str, Iterator[str]] = {}
    for label, curve in rows.groupby("label", sort=False):
        framework = str(curve["framework"].iloc[0])
        dashes = next(seen.setdefault(framework, cycle(STYLES)))
        yield curve, {"color": colours[framework], "ls": dashes, "lw": 1.2, "label": str(label)}
