"""The speed of the machine itself in two result sets: what no setting of a study explains."""

from collections.abc import Mapping

import pandas as pd

from trainmark.analyse.compare.statistics import Ratio, ratio
from trainmark.study.axes import KEY

METRICS = {"host_gflops": "products of matrices", "host_bandwidth": "copies in memory"}
"""Metrics of the machine, and what was timed."""


def ratios(now: pd.DataFrame, baseline: pd.DataFrame) -> dict[str, Ratio]:
    """How many times as fast the machine is now, by metric.

    The machine was measured before each run, with the run's threads: so both sides have the same
    configurations, each in as many runs. The interval takes runs as independent. A metric isn't in
    it where one side lacks its values.
    """
    compared = {}
    for metric in METRICS:
        after, before = _values(now, metric), _values(baseline, metric)
        counts = {
            name: min(len(after[name]), len(before[name])) for name in after if name in before
        }
        if counts:
            compared[metric] = ratio(_joined(after, counts), _joined(before, counts))
    return compared


def _values(table: pd.DataFrame, metric: str) -> dict[tuple[str, ...], list[float]]:
    """The values of the runs, by their configuration."""
    rows = table[(table["metric"] == metric) & table["value"].notna()]
    names = rows[list(KEY)].astype(str).itertuples(index=False, name=None)
    values: dict[tuple[str, ...], list[float]] = {}
    for name, value in zip(names, rows["value"], strict=True):
        values.setdefault(name, []).append(float(value))
    return values


def _joined(
    values: Mapping[tuple[str, ...], list[float]], counts: Mapping[tuple[str, ...], int]
) -> list[float]:
    """The first values of each configuration, as many as are counted."""
    return [value for name, count in counts.items() for value in values[name][:count]]
