"""The training settings of each case, as a table."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from trainmark.report.words.writers import Table

TITLE = "Settings"
BATCH = "The batch is the global one."
EPOCHS = "Window epochs: passes over the training images in the window, without its warm-up."


def note_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """The note below the table of a study's settings."""
    has_epochs = any(row["window_epochs"] is not None for row in rows)
    return f"{EPOCHS} {BATCH}" if has_epochs else BATCH


def table(rows: Any, note: str) -> Table:
    """Take rows of any columns, shown where a row has one; those of `dataset` make the blocks."""
    settings = pd.DataFrame(rows)
    texts = settings.dropna(axis="columns", how="all").astype(object).fillna("-").astype(str)
    shown = _with_requested_steps(texts).rename(columns=lambda name: name.replace("_", " "))
    return Table(TITLE, settings, shown, "dataset", [note])


def _with_requested_steps(texts: pd.DataFrame) -> pd.DataFrame:
    """Write the steps as "3 of 938" where a case asks for more of them than are done."""
    if "requested_steps" not in texts:
        return texts
    both = texts["steps"] + " of " + texts["requested_steps"]
    steps = texts["steps"].where(texts["steps"] == texts["requested_steps"], both)
    return texts.assign(steps=steps).drop(columns="requested_steps")
