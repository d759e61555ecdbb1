"""The parity matrix: how far each framework is from the reference in each case."""

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, run_columns
from trainmark.study.axes import CONFIGURATION


def matrix(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration: its worst parity error over all repeats, or why there is none.

    Columns: those of a configuration, machine, error (relative), failed (whether any run failed by
    it), status and remark.
    """
    errors = configurations(measurements, "parity_error")
    worst = errors[run_columns(errors)].astype(float).max(axis="columns")
    facts = errors[[*CONFIGURATION, "machine", "status", "remark"]].assign(error=worst)
    table = facts.merge(_failed(measurements), on=list(CONFIGURATION))
    return table.sort_values(["network", "case", "framework"], kind="stable", ignore_index=True)


def _failed(measurements: pd.DataFrame) -> pd.DataFrame:
    """Whether any run of a configuration has a parity error and isn't ok: it failed by that."""
    chosen = measurements[measurements["metric"] == "parity_error"]
    failed = chosen["value"].notna() & (chosen["status"] != "ok")
    return chosen.assign(failed=failed).groupby(list(CONFIGURATION))["failed"].any().reset_index()
