"""The speed of the machine itself in two result sets: what no setting of a study explains."""

import pandas as pd

from trainmark.analyse.compare.statistics import Ratio, ratio
from trainmark.study.axes import CONFIGURATION

METRICS = {"host_gflops": "arithmetic", "host_bandwidth": "bandwidth of memory"}
"""Metrics of the machine, and what they are of."""


def ratios(now: pd.DataFrame, baseline: pd.DataFrame) -> dict[str, Ratio]:
    """How many times as fast the machine is now, by metric, of configurations in both measurements.

    The interval is by runs, before each of which the machine was measured. A metric isn't in it
    where one side lacks its values.
    """
    both = _configurations(now) & _configurations(baseline)
    values = {
        metric: [_values(table, metric, both) for table in (now, baseline)] for metric in METRICS
    }
    return {metric: ratio(*sides) for metric, sides in values.items() if all(map(len, sides))}


def _configurations(table: pd.DataFrame) -> set[tuple[str, ...]]:
    names = table[list(CONFIGURATION)].drop_duplicates().astype(str)
    return set(names.itertuples(index=False, name=None))


def _values(table: pd.DataFrame, metric: str, configurations: set[tuple[str, ...]]) -> list[float]:
    rows = table[(table["metric"] == metric) & table["value"].notna()]
    names = rows[list(CONFIGURATION)].astype(str).itertuples(index=False, name=None)
    pairs = zip(names, rows["value"], strict=True)
    return [float(value) for name, value in pairs if name in configurations]
