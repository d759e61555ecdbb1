"""Tables for reading: columns of the settings that vary, and rows without a value merged."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from trainmark.report.words import cells
from trainmark.study.axes import VARIANTS


def for_reading(
    table: pd.DataFrame,
    columns: Sequence[str],
    texts: Callable[[Any], list[str]],
    position: int,
    besides: tuple[str, ...] = (),
) -> pd.DataFrame:
    """A table for reading: the `texts` of each row in `columns`, and settings (`with_settings`)."""
    shown = pd.DataFrame([texts(row) for row in table.itertuples()], columns=list(columns))
    return with_settings(shown, table, position, besides)


def with_settings(
    shown: pd.DataFrame, configurations: pd.DataFrame, position: int, besides: tuple[str, ...] = ()
) -> pd.DataFrame:
    """Insert columns of the settings that vary into a table for reading, at a position.

    The settings `besides`, which the table shows already, are left out.
    """
    names = [name for name in cells.varying(configurations) if name not in besides]
    columns = settings_in_words(configurations[names])
    return pd.concat([shown.iloc[:, :position], columns, shown.iloc[:, position:]], axis="columns")


def settings_in_words(shown: pd.DataFrame) -> pd.DataFrame:
    """A table whose columns of settings have their names in words."""
    return shown.rename(columns={name: name.replace("_", " ") for name in VARIANTS})


def as_table(matrix: pd.DataFrame) -> pd.DataFrame:
    """A matrix of texts as a table for reading: missing texts marked, and its index as columns."""
    return settings_in_words(matrix.fillna(cells.NOTHING).rename_axis(columns=None).reset_index())


def merge_gaps(shown: pd.DataFrame, valued: pd.Series, names: Sequence[str]) -> pd.DataFrame:
    """Merge rows without a value that differ in only one of the settings `names`.

    The merged row lists this setting's values. `valued` says for each row whether it has a value.
    Names that aren't columns of the table are ignored.
    """
    # Rows are merged if they are alike in all other columns. In the column `together` each row with
    # a value has a number of its own, so that it stays alone; rows without a value all have -1.
    table = shown.assign(together=[*np.where(valued, range(len(shown)), -1)])
    for name in [name for name in names if name in shown]:
        others = [column for column in table if column != name]
        together = table.groupby(others, sort=False)[name].agg(", ".join)
        table = together.reset_index()
    return table[list(shown)]
