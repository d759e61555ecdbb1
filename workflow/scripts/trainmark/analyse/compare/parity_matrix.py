"""The parity matrix: how far each framework is from the reference in each case."""

import math

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, run_columns
from trainmark.analyse.run.metrics.parity import NOT_FINITE
from trainmark.study.axes import CONFIGURATION


def matrix(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration: its worst parity error over all repeats, or why there is none.

    Columns: those of a configuration, machine, error (relative, infinite where one isn't finite),
    failed (whether any run failed by it), status and remark.
    """
    errors = configurations(measurements, "parity_error")
    worst = errors[run_columns(errors)].astype(float).max(axis="columns")
    facts = errors[[*CONFIGURATION, "machine", "status", "remark"]].assign(error=worst)
    table = facts.merge(_failed(measurements), on=list(CONFIGURATION))
    table["error"] = table["error"].mask(table.pop("is_infinite"), math.inf)
    return table.sort_values(["network", "case", "framework"], kind="stable", ignore_index=True)


def _failed(measurements: pd.DataFrame) -> pd.DataFrame:
    """Whether any run of a configuration failed by its parity error, and by one not finite.

    It failed by it if it has an error and isn't ok.
    """
    chosen = measurements[measurements["metric"] == "parity_error"]
    is_infinite = chosen["absent"] == NOT_FINITE
    failed = (chosen["value"].notna() | is_infinite) & (chosen["status"] != "ok")
    runs = chosen.assign(failed=failed, is_infinite=is_infinite)
    return runs.groupby(list(CONFIGURATION))[["failed", "is_infinite"]].any().reset_index()
