"""Rows of a study's CSVs: what describes a run in each, beside what is of one CSV."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd

from trainmark.analyse.run.checks import violations
from trainmark.analyse.run.hardware import hardware
from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.run.value import require_ok
from trainmark.runs.outcome import NOT_NEEDED
from trainmark.study.axes import CONFIGURATION

RUN = (*CONFIGURATION, "repeat", "status", "reason", "disturbed", "machine")
"""The columns that describe a run."""
TEXTS = (
    *("status", "reason", "absent", "default_of", "attack"),
    *(name for name in CONFIGURATION if name != "batch_size"),
)
"""Columns that are text even where they are empty, or look like numbers."""

Rows = Callable[[Run], Iterable[dict[str, Any]]]


def read(path: Path | BinaryIO, *texts: str) -> pd.DataFrame:
    """Read a CSV whose columns of text are TEXTS and `texts`."""
    return pd.read_csv(path, dtype=dict.fromkeys((*TEXTS, *texts), str))


def tabulate(runs: Iterable[Run], rows: Rows, columns: Sequence[str]) -> pd.DataFrame:
    """A table of the rows of each run, in the order of the runs.

    A repeat that wasn't needed is no run. `columns` are those of the table, RUN among them: each
    row has what describes its run.
    """
    described, all_rows, numbers = [], [], []
    needed = (run for run in runs if run.record["status"] != NOT_NEEDED)
    for number, run in enumerate(needed):
        described.append(describe(run))
        for row in rows(run):
            all_rows.append(row)
            numbers.append(number)
    of_runs = pd.DataFrame(described, columns=list(RUN)).take(numbers).reset_index(drop=True)
    others = pd.DataFrame(all_rows, columns=[name for name in columns if name not in RUN])
    return pd.concat([of_runs, others], axis="columns")[list(columns)]


def or_reason(rows: Rows) -> Rows:
    """Rows of a run, or one that says in `absent` why it has none."""

    def rows_or_reason(run: Run) -> Iterator[dict[str, Any]]:
        try:
            require_ok(run)
            yield from rows(run)
        except Absent as absent:
            yield {"absent": str(absent)}

    return rows_or_reason


@cache
def describe(run: Run) -> dict[str, Any]:
    """Describe a run by RUN; one that is ok and breaks a check has that as its reason.

    Cached, since each CSV needs it, and the checks take longer than all the rest.
    """
    record = run.record
    reason = record["reason"]
    if record["status"] == "ok":
        reason = "; ".join(violations(run)) or None
    return {key: run.job[key] for key in (*CONFIGURATION, "repeat")} | {
        "status": record["status"],
        "reason": reason,
        "disturbed": record["disturbed"],
        "machine": hardware(record["provenance"]),
    }
