"""Pairs of configurations of a case: their ratio, and the verdict by its interval."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.compare.configurations import main_values, scores
from trainmark.analyse.compare.statistics import Ratio, ratio
from trainmark.study.axes import ALL_BUT_FRAMEWORK

NOT_DISTINGUISHABLE = "not distinguishable"
NO_INTERVAL = "no interval"
UNDECIDED = (NOT_DISTINGUISHABLE, NO_INTERVAL)
"""The verdicts that put neither of two configurations first."""
FASTEST = "fastest"
RATIO_COLUMNS = ["ratio", "low", "high", "verdict"]
"""Ratio, 95 % interval and verdict: what `compared` gives."""


def pairs(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per pair of frameworks that differ in nothing else, the better one first.

    Columns: those of ALL_BUT_FRAMEWORK, machine, metric (the main one of their stage), first,
    first_adapter, second, second_adapter, ratio (how many times better the first is), low and high
    (its 95 % interval), n_first, n_second, disturbed (runs) and verdict on the first: see
    `verdict`. A configuration without a value is in no pair.
    """
    table = main_values(measurements)
    rows = [
        dict(zip(ALL_BUT_FRAMEWORK, key, strict=True)) | row
        for key, group in _best_first(table).groupby(list(ALL_BUT_FRAMEWORK), sort=False)
        for row in _pairs(group)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def beside_the_fastest(measurements: pd.DataFrame) -> pd.DataFrame:
    """All configurations, each compared with the best framework by the main metric.

    Columns: those of `main_values`, ratio, low and high (its 95 % interval), and verdict (FASTEST
    for the best itself). All four are None where a configuration has no value.
    """
    table = main_values(measurements)
    rows = {
        index: _beside_best(row, group.iloc[0])
        for _, group in _best_first(table).groupby(list(ALL_BUT_FRAMEWORK), sort=False)
        for index, row in group.iterrows()
    }
    return table.join(_ratio_columns(rows))


def beside_the_default(measurements: pd.DataFrame) -> pd.DataFrame:
    """The variants of each framework, compared with its default by the main metric.

    Columns: those of `main_values`, ratio, low and high (its 95 % interval), and verdict. All four
    are None where one of the two has no value; the remark says why. The disturbed runs are those of
    both.
    """
    table = main_values(measurements)
    parts = list(with_variants(table))
    rows = {
        index: compared(row, default)
        for default, variants in parts
        for index, row in variants.iterrows()
        if row["n"] and default["n"]
    }
    all_variants = [_with_facts_of(default, variants) for default, variants in parts]
    return pd.concat([table.iloc[:0], *all_variants]).join(_ratio_columns(rows))


def _with_facts_of(default: pd.Series, variants: pd.DataFrame) -> pd.DataFrame:
    """The variants with the default's disturbed runs, and the reason why it has no value."""
    disturbed = variants["disturbed"] + default["disturbed"]
    if default["n"]:
        return variants.assign(disturbed=disturbed)
    reason = f"{default['framework']}: {default['remark']}"
    return variants.assign(disturbed=disturbed, remark=variants["remark"].fillna(reason))


def with_variants(table: pd.DataFrame) -> Iterator[tuple[pd.Series, pd.DataFrame]]:
    """The default of each framework that has variants, and these: its other entries.

    Takes `main_values`. A default is the entry with the framework's own name; they differ in
    nothing else, and have its environment: another release is no variant.
    """
    for _, group in table.groupby([*ALL_BUT_FRAMEWORK, "adapter", "environment"], sort=False):
        is_default = group["framework"] == group["adapter"]
        if is_default.any() and not is_default.all():
            yield group[is_default].iloc[0], group[~is_default]


def _ratio_columns(rows: Mapping[Any, Mapping[str, Any]]) -> pd.DataFrame:
    """RATIO_COLUMNS, by the index of the row that is compared."""
    return pd.DataFrame(list(rows.values()), index=list(rows), columns=RATIO_COLUMNS)


def _best_first(table: pd.DataFrame) -> pd.DataFrame:
    """The configurations with values, in descending order of their scores' geometric means."""
    valued = table[table["n"] > 0]
    means = [float(np.log(scores(row)).mean()) for _, row in valued.iterrows()]
    return valued.iloc[np.argsort(means, kind="stable")[::-1]]


def _beside_best(row: pd.Series, best: pd.Series) -> dict[str, Any]:
    if row["framework"] == best["framework"]:
        return {"ratio": 1.0, "low": None, "high": None, "verdict": FASTEST}
    return compared(row, best)


def compared(first: pd.Series, second: pd.Series) -> dict[str, Any]:
    """How many times better the first of two rows is (`advantage`), by RATIO_COLUMNS."""
    return _with_verdict(advantage(first, second))


def _with_verdict(speeds: Ratio) -> dict[str, Any]:
    return {**vars(speeds), "verdict": verdict(speeds)}


def advantage(first: pd.Series, second: pd.Series) -> Ratio:
    """How many times better the first of two rows of `main_values` is; both must have values."""
    return ratio(scores(first), scores(second))


def verdict(speeds: Ratio) -> str:
    """Whether the first is significantly "faster" or "slower" (95 %), or one of UNDECIDED.

    The ratio of single runs has no interval.
    """
    if speeds.low is None:
        return NO_INTERVAL
    if speeds.significantly_above:
        return "faster"
    return "slower" if speeds.significantly_below else NOT_DISTINGUISHABLE


def differing(ratios: pd.DataFrame) -> int:
    """How many rows with a ratio and its verdict differ significantly."""
    return int((~ratios["verdict"].isin(UNDECIDED)).sum())


def _pairs(group: pd.DataFrame) -> Iterator[dict[str, Any]]:
    scored = [(row, scores(row)) for _, row in group.iterrows()]
    for (first, first_scores), (second, second_scores) in combinations(scored, 2):
        yield {
            "machine": first["machine"],
            "metric": first["metric"],
            "first": first["framework"],
            "first_adapter": first["adapter"],
            "second": second["framework"],
            "second_adapter": second["adapter"],
            "n_first": first["n"],
            "n_second": second["n"],
            "disturbed": first["disturbed"] + second["disturbed"],
            **_with_verdict(ratio(first_scores, second_scores)),
        }


COLUMNS = [
    *ALL_BUT_FRAMEWORK,
    "machine",
    "metric",
    "first",
    "first_adapter",
    "second",
    "second_adapter",
    "ratio",
    "low",
    "high",
    "n_first",
    "n_second",
    "disturbed",
    "verdict",
]
