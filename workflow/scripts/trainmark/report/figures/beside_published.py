"""Speeds beside published ones: as they are, and as shares of the fastest on each machine."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.published.beside import beside
from trainmark.report.draw import bars, curves, style
from trainmark.report.words import cells

TITLE = "Published speeds beside ours"
PUBLISHED = ("latency", "thesis")
MARKERS = "sD^vP*hd"
SPEED, SHARE = "speed", "share"
IMPOSSIBLE = "#bbbbbb"
NOTE = (
    "Filled: ours, with the 95 % confidence interval of the mean where n > 1. Hollow: published, "
    "of other machines and years; grey where the speed is impossible with our network. Speeds of "
    "different machines say nothing about frameworks: compare the shares of the fastest framework "
    "on the same machine, though published frameworks didn't do equal work. We have a share for "
    "each set of published frameworks."
)


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """Two rows per configuration and published value: of the speed, and of the share."""
    table = curves.with_labels(beside(measurements), by=("stage", "precision"))
    shares = table.assign(
        kind=SHARE,
        panel=[f"{panel}, {SHARE}" for panel in table["panel"]],
        mean=table["share"],
        half_width=float("nan"),
        published=table["published_share"],
    )
    both = pd.concat([table.assign(kind=SPEED), shares[shares["mean"].notna()]])
    return both.drop(columns=["share", "published_share"]).reset_index(drop=True)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A panel for the speeds of each case, and then one for their shares."""
    return curves.panels(data, title, f"{NOTE}\n{note}", _panel, _inches)


def _inches(rows: pd.DataFrame) -> float:
    legend = 0.2 * rows["published_machine"].nunique()
    return bars.inches(rows.drop_duplicates("label")) + legend


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    labelled = rows.drop_duplicates("label").reset_index(drop=True)
    positions = {label: position for position, label in enumerate(labelled["label"])}
    for row in rows.drop_duplicates(["label", "mean"]).itertuples():
        _ours(axes, row, positions[row.label], colours[str(row.framework)])
    for machine, marker in _markers(rows):
        published = rows[rows["published_machine"] == machine]
        _theirs(axes, published, published["label"].map(positions), marker, str(machine))
    bars.name(axes, labelled)
    if rows["kind"].iloc[0] == SPEED:
        speeds = pd.concat([rows["mean"], rows["published"]]).astype(float)
        style.logarithmic(axes, "x", speeds[speeds > 0])
        axes.set_xlabel(cells.main_units(rows), fontsize=8, loc="left")
    else:
        axes.set_xlim(0, 1.05)
        axes.set_xlabel("share of the fastest", fontsize=8, loc="left")
    axes.grid(axis="x")
    axes.legend(frameon=False, fontsize=7, ncols=2, loc="upper left", bbox_to_anchor=(0, -0.2))


def _markers(rows: pd.DataFrame) -> Iterator[tuple[Any, str]]:
    return zip(rows["published_machine"].unique(), MARKERS, strict=False)


def _ours(axes: Axes, row: Any, position: int, colour: str) -> None:
    """Our speed as a filled circle, with its interval."""
    if pd.isna(row.mean):
        return
    half_width = None if pd.isna(row.half_width) else row.half_width
    look: dict[str, Any] = {"fmt": "o", "ms": 5.5, "elinewidth": 1, "capsize": 2.5, "zorder": 3}
    axes.errorbar(row.mean, position, xerr=half_width, color=colour, **look)


def _theirs(axes: Axes, rows: pd.DataFrame, positions: pd.Series, marker: str, name: str) -> None:
    """Published speeds as hollow markers."""
    look: dict[str, Any] = {"marker": marker, "ls": "", "ms": 5, "mfc": "none", "mew": 0.9}
    is_possible = rows["impossible"].isna()
    for chosen, colour in ((is_possible, "black"), (~is_possible, IMPOSSIBLE)):
        axes.plot(rows.loc[chosen, "published"], positions[chosen], mec=colour, **look)
    axes.plot([], [], mec="black", label=name, **look)
