"""The order of frameworks by speed, as published and here."""

from typing import Any

import pandas as pd

from trainmark.analyse.published.order import order
from trainmark.report.words import cells, layout

TITLE = "Order of the frameworks"
BLOCK = "case"
PUBLISHED = ("latency", "thesis")
NONE = "No case has two frameworks with a published value that ours can be compared with."
NOTE = (
    "The fastest first. Distinguished: the pairs that our runs distinguish (95 %) and whose "
    "published speeds differ. Agreeing: those of them in the published order. gamma: Goodman and "
    "Kruskal's rank correlation of these pairs, 1 where all agree, -1 where none does. Published "
    "means have no spread and count as exact; equal ones are in no order. Single runs distinguish "
    "no pair."
)

make = order


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    counts = ["pairs", "distinguished", "agreeing"]
    columns = ["case", "on", "ours", "published", *counts, "gamma"]
    return layout.for_reading(table, columns, _shown, 1)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where ours were measured."""
    return cells.notes(table, NOTE)


def _shown(row: Any) -> list[str]:
    return [
        row.case,
        row.published_machine,
        _titles(row.ours) + cells.mark(row),
        _titles(row.published),
        str(row.pairs),
        str(row.distinguishable),
        str(row.agreeing),
        cells.NOTHING if pd.isna(row.gamma) else f"{row.gamma:.2f}",
    ]


def _titles(names: str) -> str:
    return ", ".join(cells.framework_title(name, name) for name in names.split(", "))
