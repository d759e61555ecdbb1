"""Published speeds beside ours of the same cell, with their ratio where there can be one."""

from typing import Any

import pandas as pd

from trainmark.analyse.published.beside import beside
from trainmark.report.words import cells, layout

TITLE = "Published values beside ours"
BLOCK = "case"
PUBLISHED = ("latency", "thesis")
NONE = "Nothing is published of the study's cells."
NOTE = (
    "Ratio: ours / published, of different machines and years, so it says nothing about a "
    "framework; it has no interval, as the published spread isn't known. Share: of the fastest "
    "framework on the same machine, ours and published, among those with a ratio; compare "
    "these, though published frameworks didn't do equal work."
)
WHY_NONE = (
    "No ratio where the published speed is impossible with our network: the machine would have to "
    "compute more than its peak, even with the fewest multiplications of its convolutions "
    "(Winograd's F(4x4, k x k)). If so on one machine, the framework's other values of the case "
    "have none either."
)

make = beside


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    columns = ["case", "framework", "ours", "published", "on", "ratio", "share", "remark"]
    return layout.for_reading(table, columns, _shown, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where ours were measured."""
    reasons = [WHY_NONE] * bool(table["impossible"].notna().any())
    source = " or ".join(table["published_study"].unique())
    unit = cells.main_units(table)
    texts = [f"{unit}. Published: {source}.", NOTE, *reasons, cells.INTERVAL]
    return cells.notes(table, *texts)


def _shown(row: Any) -> list[str]:
    share = cells.NOTHING
    if not pd.isna(row.share):
        share = f"{cells.factor(row.share)}, {cells.factor(row.published_share)}"
    remarks = [text for text in (row.why_none, row.differs) if not pd.isna(text)]
    return [
        row.case,
        cells.framework_title(row.framework, row.adapter),
        cells.value(row),
        cells.number(row.metric, row.published),
        row.published_machine,
        cells.factor(row.ratio),
        share,
        "; ".join(remarks),
    ]
