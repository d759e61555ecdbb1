"""measurements.csv: one row per run and metric."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd

from trainmark.analyse.run import rows
from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.run.value import value_of
from trainmark.study import plugins
from trainmark.study.axes import DEFAULTS

COLUMNS = (*rows.RUN, "default_of", "metric", "unit", "value", "absent")
NEWER = {**DEFAULTS, "default_of": None}
"""Columns that early tables don't all have, with the value that all their rows have."""


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """All measurements of a study, in the order of the runs, which is that of the study."""
    return rows.tabulate(runs, _measurements, COLUMNS)


def read(path: Path | BinaryIO) -> pd.DataFrame:
    """Read measurements.csv."""
    return rows.read(path)


def read_result_set(path: Path | BinaryIO) -> pd.DataFrame:
    """Read the measurements.csv of a result set, which may be older than some of its columns."""
    table = read(path)
    return table.assign(**{name: value for name, value in NEWER.items() if name not in table})


def write_parquet(table: pd.DataFrame, path: Path) -> None:
    """Write a table as Parquet, with no index."""
    import fastparquet  # here, as each table and figure would wait for it

    fastparquet.write(str(path), table, write_index=False)


def _measurements(run: Run) -> Iterator[dict[str, Any]]:
    for name in plugins.names("metric"):
        row: dict[str, Any] = {
            "default_of": run.default_of,
            "metric": name,
            "unit": plugins.facts("metric", name)["UNIT"],
        }
        try:
            yield row | {"value": value_of(name, run)}
        except Absent as absent:
            yield row | {"absent": str(absent)}
