"""The page of all studies of a call: a row for each, with links to its pages."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from trainmark.analyse.published.claim_verdicts import VERDICTS
from trainmark.report.page import document
from trainmark.report.tables import claims
from trainmark.report.words import cells
from trainmark.report.words.writers import Table

TITLE = "All studies"
BLOCK = "of"
NOTES = [
    "cells: configurations with a value of their stage's main metric, of those that were "
    "requested. claims: sentences of the published study by what was measured here (table claims)."
]


class Study(NamedTuple):
    """A measured study: what its row says, and where its pages are, relative to the index.

    Attributes:
        values: one row per configuration, with its stage's main metric (`main_values`).
        page: its page.
        published: title and page of the published study that it repeats, or None.
        note: what was cut short, or an empty string.
        claims: the verdicts on what the published study claimed (`claim_verdicts.verdicts`).

    """

    name: str
    values: pd.DataFrame
    page: str
    published: tuple[str, str] | None
    note: str
    claims: pd.DataFrame


def html(studies: Sequence[Study]) -> str:
    """The page: a sentence, a row for each study, and why configurations have no value."""
    rows = [
        {
            **_row(study),
            "page": study.page,
            "published": study.published,
            "quotations": [
                {**claim, "counts": claims.here(claim)} for claim in study.claims.to_dict("records")
            ],
        }
        for study in studies
    ]
    return document.html(TITLE, [_sentence(studies)], template="index.html", rows=rows, notes=NOTES)


def table(studies: Sequence[Study]) -> Table:
    """The rows of the page, for a terminal."""
    rows = pd.DataFrame(map(_row, studies))
    numbers = rows.drop(columns="reasons")
    shown = rows.assign(
        cells=[f"{row.valued:,} of {row.requested:,}" for row in rows.itertuples()],
        published=[study.published[0] if study.published else cells.NOTHING for study in studies],
        of="studies",
    )
    shown = shown[["of", "study", "published", "cells", "claims", "note"]]
    return Table(TITLE, numbers, shown, BLOCK, [_sentence(studies), *NOTES])


def _row(study: Study) -> dict[str, object]:
    """The row of a study: study, valued and requested (configurations), claims, note, reasons."""
    values = study.values
    lacking = values[values["n"] == 0]
    statuses = pd.Series([cells.status(row) for row in lacking.itertuples()], dtype=object)
    reasons = [f"{count:,} {reason}" for reason, count in statuses.value_counts().items()]
    return {
        "study": study.name,
        "valued": len(values) - len(lacking),
        "requested": len(values),
        "claims": _claims(study.claims["verdict"]),
        "note": study.note,
        "reasons": reasons,
    }


def _claims(verdicts: pd.Series) -> str:
    """How many claims have each verdict."""
    counts = [(verdict, int((verdicts == verdict).sum())) for verdict in VERDICTS]
    return ", ".join(f"{count} {verdict}" for verdict, count in counts if count) or cells.NOTHING


def _sentence(studies: Sequence[Study]) -> str:
    """How many configurations of how many studies have a value, and on which machines."""
    values = pd.concat([study.values for study in studies], ignore_index=True)
    valued = int((values["n"] > 0).sum())
    name = "study" if len(studies) == 1 else "studies"
    return (
        f"{len(studies)} {name} on {cells.machines(values)}: {valued:,} of {len(values):,} "
        "configurations have a value."
    )
