"""How often attacks fool each framework, by how far they may change a pixel."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.trained.attacks import success
from trainmark.report.draw import curves
from trainmark.study.stages import ATTACK

TITLE = "Robustness"
SOURCE = "attacks"
STAGES = ("attack",)
SETTING = "attacks"
VALUE = "share"
NOTE = (
    "Percent of the images recognised before that an attack fools. Whiskers: Wilson's 95 % "
    "interval for a sample of so many images. The same weights in frameworks that do equal work "
    "give the same, and their lines lie on each other: each is drawn wider than the next one."
)
THINNEST, WIDER = 1.2, 1.0  # points


def data(attacks: pd.DataFrame) -> pd.DataFrame:
    """One row per point: a framework, an attack and an epsilon."""
    rates = success(attacks, ATTACK).dropna(subset=["epsilon", "share"])
    named = curves.with_labels(rates.sort_values("epsilon", kind="stable", ignore_index=True))
    panels = [", ".join(pair) for pair in zip(named["panel"], named["title"], strict=True)]
    return named.assign(panel=panels)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each framework, in a panel per case and attack."""
    return curves.panels(data, title, f"{NOTE}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    lines = list(curves.lines(rows, colours))
    for number, (curve, line) in enumerate(lines):
        width = THINNEST + WIDER * (len(lines) - 1 - number)
        look = {**line, "lw": width, "ls": "-"}
        axes.plot(curve["epsilon"], curve["share"], marker="o", ms=width + 2, gid="curve", **look)
        axes.vlines(curve["epsilon"], curve["low"], curve["high"], line["color"], lw=0.9)
    axes.set_ylim(0, 103)
    axes.set_xlim(0, 1.05 * rows["epsilon"].max())
    curves.finish(axes, rows, "epsilon (pixels from 0 to 1)", "fooled (%)")
