"""The speed, compile time and memory of each framework by the day of its releases."""

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.compare.by_release import of_releases
from trainmark.analyse.compare.configurations import configurations, main_values
from trainmark.report.draw import curves, style
from trainmark.report.words import cells
from trainmark.study import builds, plugins

TITLE = "Speed, compile time and memory by release"
RELEASES = True
NOTE = (
    "Points: means over the runs, with the 95 % confidence interval where n > 1; crosses: releases "
    "without a value (the summary has the reasons for speeds). The axes of values are logarithmic."
)
MOST_YEARS = 6  # on the axis
METRICS = ("compile_time", "cpu_memory")
"""The metrics drawn beside the main one."""


def data(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration of a release and metric, in panels by case, stage and metric."""
    others = [configurations(measurements, name).assign(metric=name) for name in METRICS]
    with_values = [table for table in others if table["n"].any()]
    tables = [main_values(measurements), *with_values]
    return pd.concat([_points(of_releases(table)) for table in tables], ignore_index=True)


def _points(table: pd.DataFrame) -> pd.DataFrame:
    frameworks = table["environment"].map(builds.framework)
    series = table.assign(framework=table["series"], adapter=frameworks)
    points = curves.with_labels(series, by=("stage", "precision"))
    titles = (plugins.facts("metric", metric)["TITLE"] for metric in points["metric"])
    panels = zip(points["panel"], titles, strict=True)
    return points.assign(panel=[f"{panel}: {title}" for panel, title in panels])


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A line for each framework and its settings."""
    return curves.panels(data, title, f"{NOTE}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    days = pd.to_datetime(rows["released"])
    measured = rows["mean"].notna()
    if measured.any():
        style.logarithmic(axes, "y", rows.loc[measured, "mean"].astype(float))
    for curve, line in curves.lines(rows, colours):
        valued = curve[curve["mean"].notna()]
        look: dict[str, Any] = {"marker": "o", "ms": 3, "capsize": 2, "elinewidth": 0.8}
        spread = valued["half_width"].astype(float).fillna(0)
        axes.errorbar(days[valued.index], valued["mean"], yerr=spread, gid="curve", **look, **line)
        failed = curve.index.difference(valued.index)
        foot = [axes.get_ylim()[0] * 1.1] * len(failed)
        axes.plot(days[failed], foot, ls="", marker="x", ms=5, color=line["color"])
    years = _years(days)
    axes.set_xticks(pd.to_datetime([f"{year}-01-01" for year in years]), list(map(str, years)))
    curves.finish(axes, rows, "day of the release", cells.main_units(rows))


def _years(days: pd.Series) -> range:
    """The years on the axis, at equal distances."""
    first, last = days.min().year, days.max().year + 1
    return range(first, last + 1, math.ceil((last - first + 1) / MOST_YEARS))
