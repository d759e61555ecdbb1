"""Releases of a framework in the order of their days, each compared with earlier ones."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import main_values
from trainmark.analyse.compare.pairs import RATIO_COLUMNS, compared
from trainmark.study import builds, releases
from trainmark.study.axes import ALL_BUT_FRAMEWORK

FACTS = ["series", "release", "released"]
TO_PREVIOUS = ["than", *RATIO_COLUMNS]
TO_FIRST = ["first", *(f"first_{name}" for name in RATIO_COLUMNS)]


def by_release(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration of a release; the oldest of a series first.

    A series is a framework's releases of one table in the same settings. Columns: those of
    `main_values`; FACTS: the series' name, the release and its day; TO_PREVIOUS: how many times
    better it is `than` the last release before it with a value, with 95 % interval and verdict;
    TO_FIRST: the same for the first release with a value. They are missing where there is no such
    release, or no value.
    """
    rows_of_releases = of_releases(main_values(measurements))
    tables = rows_of_releases["environment"].map(builds.plain).rename("table")
    groups = rows_of_releases.groupby([*ALL_BUT_FRAMEWORK, "series", tables], sort=False)
    rows = [row for _, group in groups for row in _in_order(group)]
    return pd.DataFrame(rows, columns=[*rows_of_releases.columns, *TO_PREVIOUS, *TO_FIRST])


def of_releases(table: pd.DataFrame) -> pd.DataFrame:
    """The configurations that are of releases, with FACTS; the oldest of a series first."""
    facts = [_facts(row) for row in table.itertuples()]
    known = table.join(pd.DataFrame(facts, columns=FACTS, index=table.index))
    places = {name: pd.factorize(known[name])[0] for name in ("case", "series")}
    in_order = known.assign(case_place=places["case"], series_place=places["series"])
    in_order = in_order.sort_values(["case_place", "series_place", "released"], kind="stable")
    return in_order.loc[in_order["release"].notna(), list(known)]


def _facts(row: Any) -> tuple[str, str | None, Any]:
    """The series, the release and its day; without a release, the framework alone."""
    release = releases.find(row.environment, releases.ENVIRONMENTS)
    if release is None:
        return row.framework, None, None
    series = row.framework.removesuffix(f"-{release.number}")
    return series, release.number, pd.Timestamp(release.released)


def _in_order(group: pd.DataFrame) -> Iterator[dict[str, Any]]:
    first = previous = None
    for _, row in group.iterrows():
        if not row["n"]:
            yield {**row}
            continue
        yield {**row, **_beside(row, previous, TO_PREVIOUS), **_beside(row, first, TO_FIRST)}
        first, previous = row if first is None else first, row


def _beside(row: pd.Series, other: pd.Series | None, columns: list[str]) -> dict[str, Any]:
    if other is None:
        return {}
    return dict(zip(columns, (other["release"], *compared(row, other).values()), strict=True))
