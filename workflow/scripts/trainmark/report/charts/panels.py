"""Horizontal bars, a panel for each case with a scale of its own."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.analyse.compare.configurations import in_its_stages, sort_within_cases
from trainmark.report.draw import bars
from trainmark.report.words import cells
from trainmark.study import plugins


def data(measurements: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per bar or gap: the best on top of each case, gaps last."""
    table = in_its_stages(measurements, metric).assign(metric=metric)
    table.insert(0, "label", cells.labels(table))
    lowest_first = plugins.facts("metric", metric).get("HIGHER_IS_BETTER") is False
    return sort_within_cases(table, {"mean": lowest_first, "label": True})


def draw(data: pd.DataFrame, _metric: str, title: str, notes: str) -> Figure:
    """Draw the bars from zero, each with its value; the data have a column of the metric."""
    return bars.draw(data, title, notes)
