"""What measurements say of the sentences of published studies."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, values
from trainmark.analyse.compare.pairs import NO_INTERVAL, NOT_DISTINGUISHABLE
from trainmark.analyse.compare.statistics import Ratio, ratio
from trainmark.analyse.published.claims import Claim, Comparison, of_study
from trainmark.analyse.published.result_sets import measurements
from trainmark.analyse.published.studies import STUDIES, published
from trainmark.study.axes import CONFIGURATION

HOLDS, FAILS, NOT_MEASURED = "holds", "doesn't hold", "not measured"
UNDECIDED = (NOT_MEASURED, NO_INTERVAL, NOT_DISTINGUISHABLE)
VERDICTS = (HOLDS, FAILS, *UNDECIDED)
DIFFERING = {
    "case": ("case", "dataset", "network", "batch_size"),
    "machine": ("machine_name",),
}
"""The columns in which two configurations differ that are compared along an axis, if not in one."""
IGNORED = ("adapter", "environment")
"""Columns in which any two configurations may differ."""
PROCESSOR = "cpu"
"""The device that has a machine of its own in a published study, beside those of its GPUs."""
COLUMNS = [
    "study",
    "place",
    "quotation",
    "statement",
    "verdict",
    "holding",
    "failing",
    "pairs",
    "as_claimed",
    "measured",
    "missing",
    "published_holding",
    "published_pairs",
]


ByMetric = Mapping[str, pd.DataFrame]
"""The configurations with a value of each metric."""


class Pair(NamedTuple):
    """Two compared configurations: the verdict on them, and what is missing, or an empty string.

    `is_within` says whether the ratio of their means is, without its interval.
    """

    verdict: str
    is_within: bool
    missing: str


def verdicts(ours: pd.DataFrame) -> pd.DataFrame:
    """One row per claim of the published studies about cases that the measurements have.

    Columns: COLUMNS. `statement` is what was compared, `verdict` one of VERDICTS, `holding` and
    `failing` count pairs by their 95 % intervals, `as_claimed` those of the `measured` ones whose
    ratio of means is as claimed. `missing` says which values there are none of. So
    `published_holding` of `published_pairs` are as claimed in the published values.
    """
    rows = [row for study in STUDIES for row in _of_study(study, ours)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _of_study(study: str, ours: pd.DataFrame) -> list[dict[str, Any]]:
    about = of_study(study)
    if _cases(about).isdisjoint(ours["case"]):
        return []
    metrics = {comparison.metric for claim in about for comparison in claim.comparisons}
    theirs = measurements(published(study))
    both = [{name: _valued(table, name) for name in metrics} for table in (ours, theirs)]
    return [_row(study, claim, *both) for claim in about]


def _valued(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The configurations with a value of a metric."""
    rows = configurations(table, metric)
    return rows[rows["n"] > 0]


def _cases(about: list[Claim]) -> set[str]:
    """The cases that claims name."""
    comparisons = [comparison for claim in about for comparison in claim.comparisons]
    named = [comparison.where.get("case", ()) for comparison in comparisons]
    compared = [(*each.greater, *each.less) for each in comparisons if each.axis == "case"]
    return {case for cases in (*named, *compared) for case in cases}


def _row(study: str, claim: Claim, ours: ByMetric, theirs: ByMetric) -> dict[str, Any]:
    pairs = list(_pairs(claim, ours))
    counts = Counter(pair.verdict for pair in pairs)
    published_pairs = [pair for pair in _pairs(claim, theirs) if not pair.missing]
    return {
        "study": study,
        "place": claim.place,
        "quotation": claim.quotation,
        "statement": claim.statement,
        "verdict": _verdict(counts, claim.share),
        "holding": counts[HOLDS],
        "failing": counts[FAILS],
        "pairs": len(pairs),
        "as_claimed": sum(pair.is_within for pair in pairs),
        "measured": len(pairs) - counts[NOT_MEASURED],
        "missing": "; ".join(dict.fromkeys(pair.missing for pair in pairs if pair.missing)),
        "published_holding": sum(pair.is_within for pair in published_pairs),
        "published_pairs": len(published_pairs),
    }


def _verdict(counts: Counter[str], share: float | None) -> str:
    """The verdict on a claim, from the numbers of its pairs by theirs."""
    total = counts.total()
    needed = total if share is None else math.floor(share * total) + 1
    if counts[HOLDS] >= needed:
        return HOLDS
    if counts[FAILS] > total - needed:
        return FAILS
    return next(verdict for verdict in UNDECIDED if counts[verdict])


def _pairs(claim: Claim, by_metric: ByMetric) -> Iterator[Pair]:
    for comparison in claim.comparisons:
        settings = _settings(comparison.where)
        for setting, *sides in product(settings, comparison.greater, comparison.less):
            yield from _compared(comparison, by_metric[comparison.metric], setting, *sides)


def _settings(where: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    """Each combination of the values of the columns that a statement is about."""
    return (dict(zip(where, values, strict=True)) for values in product(*where.values()))


def _matching(table: pd.DataFrame, setting: Mapping[str, str]) -> pd.DataFrame:
    """The rows with these values; part of the hardware's name is enough."""
    for column, value in setting.items():
        name, _, hardware = value.partition(" on ")
        named = table[column].astype(str)
        rows = named.str.contains(name, regex=False) if column == "machine" else named == name
        table = table[rows & table["machine"].str.contains(hardware, regex=False)]
    return table


def _compared(
    comparison: Comparison,
    valued: pd.DataFrame,
    setting: Mapping[str, str],
    greater: str,
    less: str,
) -> Iterator[Pair]:
    """The pairs of two values of the axis in one setting, or one that says what is missing."""
    axis = comparison.axis
    here = _matching(valued, setting)
    sides = [_matching(here, {axis: value}) for value in (greater, less)]
    differing = {*DIFFERING.get(axis, (axis,)), *IGNORED}
    if PROCESSOR in (greater, less):
        differing.add("machine_name")
    shared = [name for name in CONFIGURATION if name not in differing]
    both = sides[0].merge(sides[1][shared].assign(other=sides[1].index), on=shared)
    for _, row in both.iterrows():
        speeds = ratio(values(row), values(sides[1].loc[row["other"]]))
        is_within = comparison.least < speeds.ratio < comparison.most
        yield Pair(_of_ratio(speeds, comparison), is_within, "")
    if both.empty:
        lacking = [value for value, side in zip((greater, less), sides, strict=True) if side.empty]
        yield Pair(NOT_MEASURED, False, _missing(valued, setting, axis, lacking or [greater, less]))


def _of_ratio(speeds: Ratio, comparison: Comparison) -> str:
    if speeds.low is None or speeds.high is None:
        return NO_INTERVAL
    if speeds.low > comparison.least and speeds.high < comparison.most:
        return HOLDS
    is_outside = speeds.high < comparison.least or speeds.low > comparison.most
    return FAILS if is_outside else NOT_DISTINGUISHABLE


def _missing(
    valued: pd.DataFrame, setting: Mapping[str, str], axis: str, lacking: list[str]
) -> str:
    """The first value that nothing was measured with, else the combination that has no value."""
    needed = [*setting.items(), *((axis, value) for value in lacking)]
    for column, value in needed:
        if _matching(valued, {column: value}).empty:
            return f"{column} {value}"
    return f"{', '.join(lacking)} ({', '.join(setting.values())})"
