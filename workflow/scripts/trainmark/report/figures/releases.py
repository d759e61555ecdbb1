"""The speed, compile time and memory of each framework by the day of its releases."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateFormatter, AutoDateLocator
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
MOST_DAYS = 6  # on the axis
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
    points = curves.named(series, by=("stage", "precision"))
    titles = points["metric"].map(lambda metric: plugins.facts("metric", metric)["TITLE"])
    return points.assign(panel=points["panel"] + ": " + titles)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A line for each framework and its settings."""
    return curves.panels(data, title, f"{NOTE}\n{note}", _panel)


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    days = pd.to_datetime(rows["released"])
    locator = AutoDateLocator(maxticks=MOST_DAYS)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(AutoDateFormatter(locator))
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
    curves.finish(axes, rows, "day of the release", cells.main_units(rows))
