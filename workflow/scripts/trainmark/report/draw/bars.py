"""Horizontal bars in panels, with their labels, values, marks and footnote."""

from collections.abc import Callable, Iterable
from textwrap import fill, shorten
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.compare.configurations import run_columns
from trainmark.report.draw import style, whiskers
from trainmark.report.words import cells
from trainmark.study import plugins

MOST_COLUMNS = 3
PANEL_INCHES, BAR_INCHES, CASE_INCHES = 4.4, 0.34, 0.75
BAR_HEIGHT = 0.66
LABEL_CHARACTERS, TITLE_CHARACTERS = 24, 38
GAP_CHARACTERS = 44
NO_VALUE = "No run has a value."
REMARKED = "†: a run is missing or failed a check; the summary table says why."


def draw(data: pd.DataFrame, title: str, notes: str) -> Figure:
    """Draw the bars of each case and metric in a panel with its own scale, which starts at zero.

    Takes rows of `configurations` with columns `label` and `metric`; the lines of `notes` are
    below the panels.
    """
    return panels(data, title, notes, _panel, inches)


def panels(
    data: pd.DataFrame,
    title: str,
    note: str,
    draw_panel: Callable[..., None],
    panel_inches: Callable[[pd.DataFrame], float],
) -> Figure:
    """A panel for each case and metric, drawn by `draw_panel(axes, rows, colours=colours)`.

    If the data have a column `panel`, each of its values has panels of its own. The height of a
    panel is `panel_inches(rows)`. Without any case, the note says that no run has a value.
    """
    keys = [key for key in ("panel", "case", "metric") if key in data]
    cases = [rows.reset_index(drop=True) for _, rows in data.groupby(keys, sort=False)]
    columns = max(1, min(MOST_COLUMNS, len(cases)))
    heights = _heights([panel_inches(rows) for rows in cases], columns)
    notes = note if cases else f"{NO_VALUE} The summary table says why.\n{note}"
    figure = style.framed(PANEL_INCHES * max(columns, 1.5), sum(heights), title, data, notes)
    grid = {"height_ratios": heights}
    all_axes = figure.subplots(len(heights), columns, squeeze=False, gridspec_kw=grid).ravel()
    colours = style.colours(data)
    for axes, rows in zip(all_axes, cases, strict=False):
        draw_panel(axes, rows, colours=colours)
    for axes in all_axes[len(cases) :]:
        axes.remove()
    return figure


def name(axes: Axes, rows: pd.DataFrame) -> None:
    """Name the bars of a panel, the first one on top, and the panel itself."""
    axes.set_yticks(range(len(rows)), _names(rows))
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_title(fill(rows.get("panel", rows["case"]).iloc[0], TITLE_CHARACTERS))


def _names(rows: pd.DataFrame) -> list[str]:
    return [fill(label, LABEL_CHARACTERS) for label in rows["label"]]


def write(axes: Axes, text: str, end: float, position: Any, **options: Any) -> None:
    """Write a text beside a bar's end."""
    axes.annotate(
        text,
        (end, position),
        xytext=(5, 0),
        textcoords="offset points",
        verticalalignment="center",
        fontsize=7.5,
        **options,
    )


def write_gap(axes: Axes, row: Any) -> None:
    """Write why there is no bar, in two lines at most; the figure's CSV has it in full."""
    write_reason(axes, shorten(str(row.remark), GAP_CHARACTERS * 2, placeholder=" …"), row.Index)


def write_reason(axes: Axes, reason: str, position: Any, start: float = 0) -> None:
    """Write, where a bar would begin, why there is none."""
    text = fill(reason, GAP_CHARACTERS)
    write(axes, text, start, position, color=style.QUIET_COLOUR, fontstyle="italic")


def inches(rows: pd.DataFrame) -> float:
    """The height of a panel: all bars have the same thickness, and each name has enough space."""
    lines = max((name.count("\n") + 1 for name in _names(rows)), default=1)
    return CASE_INCHES + BAR_INCHES * len(rows) * max(1, lines / 2)


def _heights(panels: list[float], columns: int) -> list[float]:
    """Inches of each row of panels."""
    rows = [panels[first : first + columns] for first in range(0, len(panels), columns)]
    return [max(row) for row in rows] or [CASE_INCHES]


def draw_rows(axes: Axes, rows: pd.DataFrame, colours: Iterable[str], metric: str) -> None:
    """Draw each row's bar in its colour with its value, or why it has none, and scale the axis.

    The rows are from `configurations`, the first on top. If the metric has a HIGHEST value, the
    axis ends there.
    """
    highest = plugins.facts("metric", metric).get("HIGHEST")
    runs = rows[run_columns(rows)].astype(float)
    means, widths = rows["mean"].astype(float), rows["half_width"].astype(float)
    rows = rows.assign(low=means - widths, high=(means + widths).clip(upper=highest))
    ends = np.fmax.reduce([means, rows["high"], runs.max(axis=1)])
    axis_end = highest or whiskers.axis_end(means, ends)
    below = rows["low"][means < 0]
    lowest = float(np.nanmin([0.0, *means, *below, *runs.to_numpy().ravel()]))
    each = zip(rows.itertuples(), runs.to_numpy(), colours, ends, strict=True)
    for row, values, colour, end in each:
        if row.n:
            _bar(axes, row, values[~np.isnan(values)], colour, axis_end)
            text = cells.number(metric, row.mean, row.half_width) + marks(row)
            write(axes, text, max(0.0, min(end, axis_end)), row.Index)
        else:
            write_gap(axes, row)
    if rows["n"].any():
        all_zero = axis_end == lowest
        style.scale(axes, 1.0 if all_zero else axis_end, lowest=lowest)
    else:
        axes.set_xticks([])


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    metric = rows["metric"].iloc[0]
    draw_rows(axes, rows, rows["framework"].map(colours), metric)
    name(axes, rows)
    if rows["n"].any():
        axes.set_xlabel(cells.heading(metric, rows["network"]), fontsize=8, loc="left")


def _bar(axes: Axes, row: Any, runs: np.ndarray, colour: str, axis_end: float) -> None:
    """Draw the mean as a bar, its interval as a whisker and each run as a circle."""
    position = row.Index
    axes.barh(position, row.mean, height=BAR_HEIGHT, color=colour)
    if pd.notna(row.high):
        whiskers.draw(axes, position, (row.low, row.high), axis_end)
    spread = np.linspace(-0.15, 0.15, len(runs)) if len(runs) > 1 else np.zeros(len(runs))
    axes.plot(runs, position + spread, "o", ms=3, mfc="white", mec="black", mew=0.5, zorder=3)


def marks(row: Any) -> str:
    """The marks after a value, which the footnote explains."""
    return cells.mark(row) + " †" * bool(pd.notna(row.remark))


def with_marks(note: str, data: pd.DataFrame) -> str:
    """A note with the meaning of the mark of disturbed runs, where there are any."""
    return f"{note} {cells.DISTURBED}" if data["disturbed"].any() else note


def footnote(data: pd.DataFrame) -> str:
    """The meaning of bars, circles, whiskers and marks."""
    valued = data[data["n"] > 0]
    if valued.empty:
        return NO_VALUE
    counts = sorted(set(valued["n"]))
    n = " to ".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
    runs = "run" if counts == [1] else "runs"
    parts = [f"Bars: mean of n = {n} {runs}. Circles: single runs. Whiskers and {cells.INTERVAL}"]
    parts += [cells.DISTURBED] * bool(valued["disturbed"].any())
    parts += [REMARKED] * bool(valued["remark"].notna().any())
    return " ".join(parts)
