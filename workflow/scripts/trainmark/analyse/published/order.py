"""The order of frameworks by speed on a published machine and on ours."""

from itertools import combinations
from typing import Any

import pandas as pd

from trainmark.analyse.compare.pairs import UNDECIDED, advantage, verdict
from trainmark.analyse.published.beside import COMPARED, beside


def order(ours: pd.DataFrame) -> pd.DataFrame:
    """One row per case and published machine where two frameworks or more can be compared.

    Takes measurements. Columns: COMPARED, machine, published_machine, published_study, disturbed
    (runs), ours and published (the frameworks, the fastest first), pairs, distinguishable (pairs of
    which ours is significantly faster or slower, 95 %, and the published speeds differ), agreeing
    (those in the published order) and gamma, Goodman and Kruskal's (1954) rank correlation of the
    distinguishable pairs, from -1 to 1, or NaN without any.
    """
    table = beside(ours)
    groups = table[table["ratio"].notna()].groupby(COMPARED, sort=False)
    rows = [
        dict(zip(COMPARED, point, strict=True)) | _row(group)
        for point, group in groups
        if len(group) > 1
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _row(group: pd.DataFrame) -> dict[str, Any]:
    pairs = list(combinations([row for _, row in group.iterrows()], 2))
    agreeing = [agrees for first, second in pairs if (agrees := _agrees(first, second)) is not None]
    count = len(agreeing)
    facts = group.iloc[0][["machine", "published_machine", "published_study", "metric"]]
    return {
        **facts,
        "disturbed": group["disturbed"].sum(),
        "ours": _fastest_first(group, "mean"),
        "published": _fastest_first(group, "published"),
        "pairs": len(pairs),
        "distinguishable": count,
        "agreeing": sum(agreeing),
        "gamma": (2 * sum(agreeing) - count) / count if count else float("nan"),
    }


def _agrees(first: pd.Series, second: pd.Series) -> bool | None:
    """Whether published speeds are in the order of ours; None if either pair has no order.

    The thesis's speeds are whole numbers, so that slow ones are often equal.
    """
    judged = verdict(advantage(first, second))
    if judged in UNDECIDED or first["published"] == second["published"]:
        return None
    return bool((first["published"] > second["published"]) == (judged == "faster"))


def _fastest_first(group: pd.DataFrame, column: str) -> str:
    return ", ".join(group.sort_values(column, ascending=False)["framework"])


COLUMNS = [
    *COMPARED,
    "machine",
    "published_machine",
    "published_study",
    "metric",
    "disturbed",
    "ours",
    "published",
    "pairs",
    "distinguishable",
    "agreeing",
    "gamma",
]
