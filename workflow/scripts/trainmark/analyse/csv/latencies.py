"""latencies.csv: every call that a run waited for, one row per run, for tables and figures."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.run import rows
from trainmark.analyse.run.metrics.latency import latency_first, milliseconds
from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.run.value import require_ok

COLUMNS = (*rows.RUN, "started", "version", "first_milliseconds", "milliseconds", "absent")


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """All runs in the order of the study; a repeat that wasn't needed is none.

    Columns: those of a run, when it started (ISO 8601), the framework's version, milliseconds of
    the first call, of all calls in their order (one text, with a space between two), and why there
    are none.
    """
    return rows.tabulate(runs, lambda run: [_row(run)], COLUMNS)


def read(path: Path) -> pd.DataFrame:
    """Read latencies.csv; milliseconds become an array of each run, empty where it has none."""
    table = rows.read(path, "version", "milliseconds")
    calls = [np.array(text.split(), dtype=float) for text in table["milliseconds"].fillna("")]
    return table.assign(milliseconds=pd.Series(calls, table.index, dtype=object))


def _row(run: Run) -> dict[str, Any]:
    worker = run.record["worker"] or {}
    facts = {"started": run.record["provenance"]["started"], "version": worker.get("version")}
    try:
        require_ok(run)
        first, calls = latency_first(run), milliseconds(run)
    except Absent as absent:
        return {**facts, "absent": str(absent)}
    text = " ".join(f"{call:.4f}" for call in calls)
    return {**facts, "first_milliseconds": first, "milliseconds": text}
