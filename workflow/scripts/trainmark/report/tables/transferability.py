"""Transferability: one framework's adversarial images in every framework, runtime and form."""

from typing import Any

import pandas as pd

from trainmark.analyse.trained.attacks import success
from trainmark.report.words import cells, layout

TITLE = "Transferability of adversarial images"
BLOCK = "case"
SOURCE = "attacks"
SETTING = "attacks"
NOTE = (
    "Of the images that fooled the framework that attacked (made in), the percent that aren't "
    "recognised here, and in brackets their numbers; a column for each attack, with its epsilon "
    "(pixels from 0 to 1) where it takes one. Means over the runs. The table's CSV has Wilson's "
    "95 % interval of each (low, high), for a sample of so many images: that of 14 of 14 is 78 to "
    "100 %."
)
NOTHING_MADE = f"{cells.NOTHING}: nothing had been made, or the run has no value."


def make(attacks: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration that predicts adversarial images, attack and epsilon."""
    return success(attacks, "infer")


def show(table: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, a column for each attack."""
    makers = [cells.framework_title(name, name) for name in table["attacked_by"]]
    names = pd.DataFrame({"case": table["case"], "made in": makers})
    names["tried in"] = cells.framework_titles(table)
    names = layout.with_settings(names, table, 3).assign(
        status=[cells.status(row) for row in table.itertuples()]
    )
    keys = [str(name) for name in names]
    texts = [_text(row) for row in table.itertuples()]
    wide = names.assign(column=_columns(table), text=texts).pivot_table(
        index=keys, columns="column", values="text", aggfunc="first", sort=False
    )
    matrix = wide.drop(columns="", errors="ignore").fillna(cells.NOTHING)
    shown = matrix.rename_axis(columns=None).reset_index()
    return shown[[name for name in shown if name != "status"] + ["status"]]


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, NOTE, NOTHING_MADE)


def _text(row: Any) -> str:
    if pd.isna(row.share):
        return cells.NOTHING
    return f"{row.share:.1f} ({row.passed:,.0f} of {row.made:,.0f})"


def _columns(table: pd.DataFrame) -> list[str]:
    """The attack of each row with its epsilon; nothing where a run has no value."""
    named = zip(table["title"], table["epsilon"], strict=True)
    return [
        "" if pd.isna(title) else title if pd.isna(epsilon) else f"{title} {epsilon:.3g}"
        for title, epsilon in named
    ]
