"""measurements.csv: one row per run and metric."""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd

from trainmark.analyse.run import rows
from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.run.value import value_of
from trainmark.runs.formats import FORMAT, checked
from trainmark.study import plugins
from trainmark.study.axes import DEFAULTS

COLUMNS = (*rows.RUN, "default_of", "metric", "unit", "value", "absent", "format")
TEXTS = (*rows.TEXTS, "metric", "unit", "machine")
"""Columns of text, of few different ones: Parquet holds each once."""


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """All measurements of a study, in the order of the runs, which is that of the study."""
    return rows.tabulate(runs, _measurements, COLUMNS)


def read(path: Path | BinaryIO) -> pd.DataFrame:
    """Read measurements.csv."""
    return rows.read(path)


def read_parquet(path: Path) -> pd.DataFrame:
    """Read the same table from measurements.parquet, with the same types.

    Raises ValueError where it isn't Parquet to its end.
    """
    import fastparquet  # here, as jobs that read other tables would wait for it

    if not path.read_bytes().endswith(b"PAR1"):
        raise ValueError("it doesn't end as Parquet does")
    table: pd.DataFrame = fastparquet.ParquetFile(str(path)).to_pandas()
    return table.astype({name: str for name in TEXTS if name in table})


def upgraded(table: pd.DataFrame, place: str) -> pd.DataFrame:
    """A table of any format with the columns of the present one; raises UnknownFormat.

    `place` is where it was read. Its column `format` stays that of the file.
    """
    numbers = table.get("format", pd.Series(1, table.index)).unique().tolist()
    number = max((checked(number, place) for number in numbers), default=FORMAT)
    complete = _with_all_axes(table) if number == 1 else table
    return complete.assign(format=number)


def write_parquet(table: pd.DataFrame, path: Path) -> None:
    """Write a table as Parquet, with no index; its texts as categories, each text once.

    Axes are text, as thread_count may be `all`.
    """
    import fastparquet

    texts = {name: table[name].map(str, na_action="ignore") for name in TEXTS if name in table}
    # fastparquet can't read categories of a column without values.
    categories = {name: "category" for name in texts if texts[name].notna().any()}
    fastparquet.write(str(path), table.assign(**texts).astype(categories), write_index=False)


def _measurements(run: Run) -> Iterator[dict[str, Any]]:
    common = {"default_of": run.default_of, "format": FORMAT}
    for name, unit in _units().items():
        row: dict[str, Any] = {**common, "metric": name, "unit": unit}
        try:
            row["value"] = value_of(name, run)
        except Absent as absent:
            row["absent"] = str(absent)
        yield row


@cache
def _units() -> dict[str, str]:
    """The unit of each metric, by its name."""
    return {name: plugins.facts("metric", name)["UNIT"] for name in plugins.names("metric")}


def _with_all_axes(table: pd.DataFrame) -> pd.DataFrame:
    """With a column for every axis, and default_of, which format 1 lacks.

    Later formats changed records alone; a metric that is newer than a file has no rows.
    """
    added = {**DEFAULTS, "default_of": None}
    return table.assign(**{name: value for name, value in added.items() if name not in table})
