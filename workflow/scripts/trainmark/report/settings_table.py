"""The training settings of each case, as a table."""

from typing import Any

import pandas as pd

from trainmark.report.writers import Table

TITLE = "Settings"


def table(rows: Any, note: str) -> Table:
    """Take rows of any columns, of which `dataset` makes the blocks."""
    settings = pd.DataFrame(rows)
    shown = settings.astype(str).rename(columns=lambda name: name.replace("_", " "))
    return Table(TITLE, settings, shown, "dataset", [note])
