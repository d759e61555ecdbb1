"""A few images, what attacks made of them, and the difference."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import style
from trainmark.report.words import cells
from trainmark.study import plugins

TITLE = "Adversarial images"
SOURCE = "adversarial"
STAGES = ("attack",)
SETTING = "attacks"
VALUE = "pixels"
PICTURE_INCHES, LABEL_INCHES, HEAD_INCHES = 0.95, 1.5, 0.6
NOTE = (
    "Of each attack the first images that it fooled with: each with its class, what was made of it "
    "with the class that it is taken for, and the difference, in which grey is none. Classes have "
    "the numbers that the data set gives them."
)
NOTHING_MADE = "No attack has fooled any network."


def data(examples: pd.DataFrame) -> pd.DataFrame:
    """One row per picture: its pixels (0 to 1) as text, and its place in the grid."""
    rows = [picture for example in examples.to_dict("records") for picture in _pictures(example)]
    names = ("study", "case", "framework", "adapter", "machine", "attack")
    return pd.DataFrame(rows, columns=[*names, "row", "caption", "shape", VALUE])


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A row for each case and attack, three pictures for each image."""
    labels = list(dict.fromkeys(data["row"]))
    columns = max([6, *data.groupby("row").size()])
    width = LABEL_INCHES + PICTURE_INCHES * columns
    text = style.wrapped(f"{NOTE if labels else NOTHING_MADE}\n{note}", width)
    foot = style.BOTTOM_INCHES + style.LINE_INCHES * (text.count("\n") + 1)
    height = HEAD_INCHES + PICTURE_INCHES * 1.2 * max(1, len(labels)) + foot
    figure = Figure(figsize=(width, height))
    for row, label in enumerate(labels):
        top = height - HEAD_INCHES - PICTURE_INCHES * 1.2 * (row + 1)
        for column, picture in enumerate(data[data["row"] == label].itertuples()):
            left = LABEL_INCHES + PICTURE_INCHES * column
            side = 0.9 * PICTURE_INCHES
            axes = figure.add_axes((left / width, top / height, side / width, side / height))
            axes.imshow(_array(picture), cmap="gray", vmin=0, vmax=1)
            axes.set_axis_off()
            axes.set_title(picture.caption, fontsize=7, loc="center", fontweight="normal", pad=2)
        middle = (top + PICTURE_INCHES / 2) / height
        figure.text(0.12 / width, middle, label, va="center", fontsize=7.5)
    style.entitle(figure, title, cells.where(data), text)
    return figure


def _pictures(example: dict[Any, Any]) -> list[dict[str, Any]]:
    """The three pictures of one example."""
    original, adversarial = (
        np.array(example[kind].split(), dtype=float) for kind in ("original", "adversarial")
    )
    attack = plugins.facts("attack", example["attack"])["TITLE"]
    size = "" if pd.isna(example["epsilon"]) else f" {example['epsilon']:.3g}"
    framework = cells.framework_title(example["framework"], example["adapter"])
    common = {**example, "row": f"{example['case']}\n{framework}\n{attack}{size}"}
    captions = f"{example['label']}", f"taken for {example['taken_for']}", "difference"
    shown = original, adversarial, (1 + adversarial - original) / 2
    return [
        {**common, "caption": caption, VALUE: " ".join(f"{pixel:.4f}" for pixel in pixels)}
        for caption, pixels in zip(captions, shown, strict=True)
    ]


def _array(picture: Any) -> np.ndarray:
    """Its pixels (H, W) or (H, W, 3)."""
    shape = tuple(map(int, picture.shape.split()))
    pixels = np.array(picture.pixels.split(), dtype=float).reshape(shape).transpose(1, 2, 0)
    return pixels[:, :, 0] if shape[0] == 1 else pixels
