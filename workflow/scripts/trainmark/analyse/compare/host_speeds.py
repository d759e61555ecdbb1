"""The speed of the machine itself in two result sets: what no setting of a study explains."""

from collections.abc import Iterable, Mapping

import pandas as pd

from trainmark.analyse.compare.statistics import Ratio, ratio
from trainmark.study.axes import CONFIGURATION

METRICS = {"host_gflops": "products of matrices", "host_bandwidth": "copies in memory"}
"""Metrics of the machine, and what was timed."""


def ratios(now: pd.DataFrame, baseline: pd.DataFrame) -> dict[str, Ratio]:
    """How many times as fast the machine is now, by metric, of configurations with values in both.

    The interval is by runs, before each of which the machine was measured; it takes them as
    independent. A metric isn't in it where one side lacks its values.
    """
    compared = {}
    for metric in METRICS:
        after, before = _values(now, metric), _values(baseline, metric)
        if both := after.keys() & before.keys():
            compared[metric] = ratio(_joined(after, both), _joined(before, both))
    return compared


def _values(table: pd.DataFrame, metric: str) -> dict[tuple[str, ...], list[float]]:
    """The values of the runs, by their configuration."""
    rows = table[(table["metric"] == metric) & table["value"].notna()]
    names = rows[list(CONFIGURATION)].astype(str).itertuples(index=False, name=None)
    values: dict[tuple[str, ...], list[float]] = {}
    for name, value in zip(names, rows["value"], strict=True):
        values.setdefault(name, []).append(float(value))
    return values


def _joined(
    values: Mapping[tuple[str, ...], list[float]], configurations: Iterable[tuple[str, ...]]
) -> list[float]:
    return [value for configuration in configurations for value in values[configuration]]
