"""Speeds by the logs of runs that trainmark didn't start."""

from typing import Any

import pandas as pd

from trainmark.report.words import cells
from trainmark.report.words.writers import Table
from trainmark.study import plugins

TITLE = "Speeds by logs from elsewhere"
METRIC = "training_speed"
COLUMNS = [
    "case",
    "log",
    "framework",
    "batch",
    "machine",
    "run",
    "images/s",
    "lowest",
    "highest",
    "from",
]
NOTE = (
    "Images per second as each log states them: nothing here timed or watched these runs, and "
    "nobody knows that their work was equal. From: totals (the last sum or running mean of each "
    "epoch), lines (whose speeds are averaged), a time that the log states, or its stamps."
)


def table(speeds: pd.DataFrame) -> Table:
    """A row per log; `speeds` is what analyse.sets.adopted.speeds gives."""
    shown = pd.DataFrame([_shown(row) for row in speeds.itertuples()], columns=COLUMNS)
    left_out = [
        f"{dialect}: leaves out {plugins.facts('dialect', dialect)['LEAVES_OUT']}."
        for dialect in speeds["dialect"].unique()
    ]
    return Table(TITLE, speeds, shown, "case", [NOTE, *left_out])


def _shown(row: Any) -> list[str]:
    speeds = [cells.number(METRIC, value) for value in (row.value, row.lowest, row.highest)]
    if row.statements == 1 or row.basis == "stamps":
        speeds[1:] = [cells.NOTHING] * 2
    basis = row.basis.removesuffix("s") if row.statements == 1 else row.basis
    source = f"{row.dialect}: {row.statements} {basis}"
    title = cells.framework_title(row.framework, row.adapter)
    settings = [str(row.batch_size), row.machine, str(row.repeat)]
    return [row.case, row.log, title, *settings, *speeds, source]
