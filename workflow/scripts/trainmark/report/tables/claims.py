"""Sentences of the published study, and whether they hold in what was measured here."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from trainmark.analyse.published.claim_verdicts import verdicts
from trainmark.report.words import cells

TITLE = "What was claimed"
BLOCK = "study"
PUBLISHED = ("gtdlbench", "latency", "thesis")
NONE = "No sentence of a published study is about the study's cases."
NOTE = (
    "A claim holds if each pair of configurations differs as it says, by the 95 % interval of "
    "their ratio (where it speaks of most, more than that share of them); it doesn't hold if a "
    "pair differs otherwise. here and published: pairs whose ratio of means is as claimed, of "
    "those with values; published values have no intervals."
)

make = verdicts


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    columns = ["study", "place", "verdict", "here", "published", "claim, and what was compared"]
    return pd.DataFrame([_shown(row) for row in table.itertuples()], columns=columns)


def notes(table: pd.DataFrame) -> list[str]:
    """What the verdicts mean."""
    return [NOTE]


def _shown(row: Any) -> list[str]:
    missing = f" Not measured: {row.missing}." if row.missing else ""
    return [
        row.study,
        row.place,
        row.verdict,
        here(row._asdict()),
        _counts(row.published_holding, row.published_pairs),
        f'"{row.quotation}" [{row.statement}].{missing}',
    ]


def here(claim: Mapping[Any, Any]) -> str:
    """How many of the measured pairs are as claimed, by their means and by their intervals."""
    counts = _counts(claim["as_claimed"], claim["measured"])
    return f"{counts}, {claim['holding']} by interval" if claim["measured"] else counts


def _counts(holding: int, pairs: int) -> str:
    return f"{holding} of {pairs}" if pairs else cells.NOTHING
