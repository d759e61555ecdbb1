"""The training settings of each case, as a table."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from trainmark.report.words.writers import Table

TITLE = "Settings"
BATCH = "The batch is the global one."
EPOCHS = "Epochs: passes over the training images in the timed window."


def note_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """What stands below the table of a study's own settings."""
    has_epochs = any(row["epochs"] is not None for row in rows)
    return f"{EPOCHS} {BATCH}" if has_epochs else BATCH


def table(rows: Any, note: str) -> Table:
    """Take rows of any columns, shown where a row has one; those of `dataset` make the blocks."""
    settings = pd.DataFrame(rows)
    told = settings.dropna(axis="columns", how="all").astype(object).fillna("-").astype(str)
    shown = _with_steps_asked(told).rename(columns=lambda name: name.replace("_", " "))
    return Table(TITLE, settings, shown, "dataset", [note])


def _with_steps_asked(told: pd.DataFrame) -> pd.DataFrame:
    """Write the steps as "3 of 938" where a case asks for more of them than are done."""
    if "requested_steps" not in told:
        return told
    both = told["steps"] + " of " + told["requested_steps"]
    steps = told["steps"].where(told["steps"] == told["requested_steps"], both)
    return told.assign(steps=steps).drop(columns="requested_steps")
