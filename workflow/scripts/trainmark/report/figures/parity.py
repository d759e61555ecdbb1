"""Framework by case: the worst relative error of each, as a shaded matrix."""

from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from trainmark.analyse.compare import parity_matrix
from trainmark.report.draw import style
from trainmark.report.words import cells

TITLE = "Parity: worst relative error of the first calls"
VALUE = "error"
SHADES = LogNorm(1e-7, 1e-1)
DARK = 1e-3  # errors from here on are written in white
CELL_INCHES, ROW_INCHES, TOP_INCHES, BOTTOM_INCHES = 0.95, 0.36, 1.05, 0.35
ROW_CHARACTERS, CHARACTER_INCHES, MARGIN_INCHES = 40, 0.068, 0.2
NOTE = f"Against a float64 reference. {cells.BEYOND}"


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per cell, named as the matrix names it."""
    table = parity_matrix.matrix(measurements)
    settings = [cells.settings(table, name) for name in cells.varying(table)]
    labels = [", ".join(parts) for parts in zip(table["case"], *settings, strict=True)]
    table.insert(0, "column", cells.framework_titles(table))
    table.insert(0, "row", labels)
    return table


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Shade each cell by the logarithm of its error and write the error into it."""
    rows, columns = list(dict.fromkeys(data["row"])), sorted(set(data["column"]))
    names = [fill(row, ROW_CHARACTERS) for row in rows]
    longest = max((len(line) for name in names for line in name.split("\n")), default=0)
    left = CHARACTER_INCHES * longest + MARGIN_INCHES
    width = max(left + CELL_INCHES * len(columns) + MARGIN_INCHES, 6.5)
    text = style.wrapped(f"{NOTE}\n{note}", width)
    bottom = BOTTOM_INCHES + style.LINE_INCHES * text.count("\n")
    height = TOP_INCHES + ROW_INCHES * len(rows) + bottom
    figure = Figure(figsize=(width, height))
    inner = (CELL_INCHES * len(columns) / width, ROW_INCHES * len(rows) / height)
    axes = figure.add_axes((left / width, bottom / height, *inner))
    errors = data.pivot(index="row", columns="column", values="error").loc[rows, columns]
    shaded = np.ma.masked_invalid(errors.clip(upper=SHADES.vmax))
    axes.pcolormesh(shaded, cmap="YlGnBu", norm=SHADES, edgecolors="white", linewidth=2)
    for row in data.itertuples():
        _write(axes, row, columns.index(row.column) + 0.5, rows.index(row.row) + 0.5)
    _name(axes, names, columns)
    style.entitle(figure, title, cells.where(data), text)
    return figure


def _name(axes: Axes, rows: list[str], columns: list[str]) -> None:
    """Put the frameworks on top and the cases on the left, from top to bottom."""
    axes.set_ylim(len(rows), 0)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axes.xaxis.tick_top()
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _write(axes: Axes, row: Any, x: float, y: float) -> None:
    """Write into a cell: dark on light, light on dark, quiet where there is no error to show."""
    colour = "white" if row.error >= DARK else "black"
    colour = style.QUIET_COLOUR if pd.isna(row.error) else colour
    axes.text(x, y, cells.parity(row), ha="center", va="center", fontsize=7.5, color=colour)
