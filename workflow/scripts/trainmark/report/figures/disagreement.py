"""Test images that quantised models classify differently from the network they were made of."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.report.draw import style

TITLE = "Images that quantised models classify differently"
SOURCE = "disagreements"
STAGES = ("infer",)
SETTING = "trained_by"
VALUE = "image"
COLUMNS = 6
IMAGE_INCHES, TEXT_INCHES, LEAST_INCHES = 1.15, 0.55, 6.6
NOTE = (
    "Of each case those images of the test split on which most quantised models, of whichever form "
    "and runtime, differ from the float32 of the framework that trained the weights, in the first "
    "repeat. Below an image: its class, what float32 takes it for, and what most of the models "
    "that differ take it for, with their number and that of all. Green: the class is right."
)
NONE = "No quantised model differs on any image (of image files, none is shown)."
RIGHT, WRONG = "#1a7f37", "#b3261e"


def data(disagreements: pd.DataFrame) -> pd.DataFrame:
    """One row per image."""
    return disagreements


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """Each image with what it was taken for, case by case."""
    cases = [rows for _, rows in data.groupby("case", sort=False)]
    heights = [-(-len(rows) // COLUMNS) for rows in cases]
    notes = f"{NOTE if cases else NONE}\n{note}"
    inches = sum(heights) * (IMAGE_INCHES + TEXT_INCHES) + 0.3 * len(cases)
    width = max(LEAST_INCHES, COLUMNS * IMAGE_INCHES + 0.4)
    figure = style.framed(width, max(inches, 0.1), title, data, notes)
    if cases:
        parts = figure.subfigures(len(cases), 1, squeeze=False, height_ratios=heights).ravel()
        for part, rows, count in zip(parts, cases, heights, strict=True):
            _draw_case(part, rows, count)
    return figure


def _draw_case(part: Any, rows: pd.DataFrame, height: int) -> None:
    part.suptitle(rows["case"].iloc[0], x=0.02, ha="left", fontsize=9.5, fontweight="bold")
    panels = part.subplots(height, COLUMNS, squeeze=False).ravel()
    for axes in panels:
        axes.set_axis_off()
    for axes, row in zip(panels, rows.itertuples(), strict=False):
        _draw_image(axes, row)


def _draw_image(axes: Axes, row: Any) -> None:
    shape = tuple(map(int, row.shape.split("x")))
    pixels = np.frombuffer(bytes.fromhex(row.pixels), np.uint8).reshape(shape).transpose(1, 2, 0)
    axes.imshow(pixels.squeeze(), cmap="gray", vmin=0, vmax=255, gid=str(row.image))
    lines = (
        (f"class {row.label}, image {row.image}", "black"),
        (f"float32: {row.answer}", RIGHT if row.answer == row.label else WRONG),
        (f"int8: {row.other} ({row.differing} of {row.models})",
         RIGHT if row.other == row.label else WRONG),
    )  # fmt: skip
    look: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 6.5}
    for line, (text, colour) in enumerate(lines):
        below = (0, -3 - 8.5 * line)
        axes.annotate(text, (0.5, 0), below, "axes fraction", "offset points", color=colour, **look)
