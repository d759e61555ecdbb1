"""The training settings of each case, as a table."""

from typing import Any

import pandas as pd

from trainmark.report.writers import Table

TITLE = "Settings"


def table(rows: Any, note: str) -> Table:
    """Take rows of any columns, shown where a row has one; those of `dataset` make the blocks."""
    settings = pd.DataFrame(rows)
    told = settings.dropna(axis="columns", how="all").astype(object).fillna("-").astype(str)
    shown = told.rename(columns=lambda name: name.replace("_", " "))
    return Table(TITLE, settings, shown, "dataset", [note])
