"""How often result sets of one machine differ where nothing that is recorded changed (A/A)."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.compare import host_speeds
from trainmark.analyse.compare.comparison import compare, differences
from trainmark.analyse.compare.pairs import differing
from trainmark.analyse.sets.result_set import ResultSet
from trainmark.study.axes import KEY, key

TIMES_BETWEEN = {"within an hour": 1.0, "within a day": 24.0, "days apart": float("inf")}
"""The hours within which the second result set was begun, by their names."""
AGGREGATES = {
    "pairs": ("pairs", "sum"),
    "compared": ("compared", "sum"),
    "different": ("different", "sum"),
    "host_lowest": ("host", "min"),
    "host_highest": ("host", "max"),
}
"""Columns of several pairs of result sets: of which column of a pair, and how they are made."""
COLUMNS = ("machine", "apart", *AGGREGATES)


def agreement(sets: Sequence[ResultSet]) -> pd.DataFrame:
    """One row per machine and time between two result sets, with the verdicts on their ratios.

    Columns: machine (its hardware), apart (a name of TIMES_BETWEEN), pairs (of result sets),
    compared (configurations with the same settings, versions and hardware in both), different
    (those that are significantly faster or slower), and host_lowest and host_highest: the ratios
    of the machine's own arithmetic per second, later to earlier; NaN where it wasn't measured.
    """
    rows = pd.DataFrame([row for pair in _pairs(sets) for row in _compared(*pair)])
    if rows.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    groups = rows.groupby(["machine", "apart"], sort=False)
    return groups.agg(**AGGREGATES).reset_index()


def _pairs(sets: Sequence[ResultSet]) -> Iterator[tuple[ResultSet, ResultSet]]:
    """Earlier and later result sets that share a configuration on one machine."""
    ordered = sorted(sets, key=lambda results: results.began)
    on_machines = [_on_machines(results.measurements) for results in ordered]
    for one, other in combinations(range(len(ordered)), 2):
        if not on_machines[one].isdisjoint(on_machines[other]):
            yield ordered[one], ordered[other]


def _on_machines(measurements: pd.DataFrame) -> set[tuple[str, ...]]:
    """The configurations of a result set, each with its machine's hardware."""
    columns = measurements[[*KEY, "machine"]].drop_duplicates().astype(str)
    return set(columns.itertuples(index=False, name=None))


def _compared(earlier: ResultSet, later: ResultSet) -> Iterator[dict[str, Any]]:
    hours = (later.began - earlier.began).total_seconds() / 3600
    apart = next(name for name, most in TIMES_BETWEEN.items() if hours < most)
    explained = differences(later.records, earlier.records)
    table = compare(later.measurements, earlier.measurements, {})
    valued = table[table["low"].notna()]  # single runs have no interval, and can't differ
    is_same = np.array([key(row) not in explained for row in valued.to_dict("records")], dtype=bool)
    for machine, rows in valued[is_same].groupby("machine", sort=False):
        counts = {"pairs": 1, "compared": len(rows), "different": differing(rows)}
        tables = (each.measurements for each in (later, earlier))
        here = [each[each["machine"] == machine] for each in tables]
        host = host_speeds.ratios(*here).get("host_gflops")
        yield {
            "machine": machine,
            "apart": apart,
            **counts,
            "host": host.ratio if host else np.nan,
        }
