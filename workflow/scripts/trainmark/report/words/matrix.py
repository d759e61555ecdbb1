"""Outcomes of default settings as matrices of cells, one for each metric."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from trainmark.report.words import cells, layout

BLOCK = "block"
NOBODYS = "No case of the study says whose default it is (default_of)."


def ordered(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """The rows of each value of a column together, and of these the rows of each metric."""
    keys = [pd.factorize(table[name])[0] for name in ("metric", by)]
    return table.iloc[np.lexsort(keys)].reset_index(drop=True)


def shown(
    table: pd.DataFrame, titles: Sequence[str], row: str, rows: Sequence[str], column: Sequence[str]
) -> pd.DataFrame:
    """A matrix for each title and metric, with the names of rows and columns of each cell.

    Takes rows of `default_settings.outcomes` with a column `marked`, of the cells in brackets; the
    rows of matrices are called `row`. What else differs within a setting makes rows of its own.
    """
    metrics = table["metric"].map(cells.heading)
    names = pd.DataFrame({row: rows, **{name: table[name] for name in cells.varying(table)}})
    names.insert(0, BLOCK, [": ".join(pair) for pair in zip(titles, metrics, strict=True)])
    texts = pd.Series([_cell(cell) for cell in table.itertuples()])
    keys = [str(name) for name in names]
    wide = names.assign(column=column, text=texts).pivot_table(
        index=keys, columns="column", values="text", aggfunc=" / ".join, sort=False
    )
    return layout.as_table(wide[list(dict.fromkeys(column))])


def notes(table: pd.DataFrame, note: str) -> list[str]:
    """Notes on the cells, where they were measured, and why ok runs have no value."""
    if table.empty:
        return [NOBODYS]
    gaps = table[(table["n"] == 0) & (table["status"] == "ok")]
    missing = [f"{cells.NOTHING}: {cells.commonest(gaps['remark'])}."] * (len(gaps) > 0)
    return cells.notes(table, note, cells.INTERVAL, *missing)


def _cell(row: Any) -> str:
    text = cells.value_or_status(row)
    return f"[{text}]" if row.marked else text
