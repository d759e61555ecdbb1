"""Frameworks that take far more GPU memory than the others for the same work."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import configurations
from trainmark.study.axes import ALL_BUT_FRAMEWORK

METRIC = "gpu_memory_mean"
FAR_MORE = 2.0  # times the median of the others
COLUMNS = [
    *ALL_BUT_FRAMEWORK,
    "framework",
    "adapter",
    "machine",
    "mebibytes",
    "median_of_others",
    "times",
]


def outliers(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration whose mean GPU memory is at least FAR_MORE times the others'.

    Columns: those of a point, framework, adapter, machine, mebibytes, median_of_others (MiB) and
    times. A point of one framework has none.
    """
    table = configurations(measurements, METRIC)
    groups = table[table["n"] > 0].groupby(list(ALL_BUT_FRAMEWORK), sort=False)
    rows = [row for _, group in groups for row in _outliers(group)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _outliers(group: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for index, row in group.iterrows():
        others = group["mean"].drop(index).astype(float).median()
        if row["mean"] >= FAR_MORE * others:
            yield {
                **{name: row[name] for name in COLUMNS if name in row},
                "mebibytes": row["mean"],
                "median_of_others": others,
                "times": row["mean"] / others,
            }
