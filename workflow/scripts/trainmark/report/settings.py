"""The training settings of each case, as a table."""

import pandas as pd

from trainmark.report.writers import Table

TITLE = "Settings"


def table(settings: pd.DataFrame, note: str) -> Table:
    """One row per case; takes any columns, of which `dataset` makes the blocks."""
    shown = settings.astype(str).rename(columns=lambda name: name.replace("_", " "))
    return Table(TITLE, settings, shown, "dataset", [note])
