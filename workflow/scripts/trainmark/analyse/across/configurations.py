"""From runs to configurations: the repeats of each are combined, and none is left out."""

from typing import Any

import pandas as pd

from trainmark.analyse.across.statistics import summarise
from trainmark.study.axes import CONFIGURATION
from trainmark.study.stages import higher_is_better, main_metric

FOUND = (
    "machine",
    "mean",
    "median",
    "standard_deviation",
    "half_width",
    "n",
    "repeats",
    "disturbed",
    "status",
    "remark",
)
"""The columns beside those of a configuration, whatever the number of runs."""


def configurations(measurements: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per configuration with one metric's statistics over its repeats.

    Columns: those of a configuration, machine, mean, median, standard_deviation, half_width (of the
    95 % interval), n (values), repeats (runs), disturbed (runs), status ("ok" if any run was),
    remark (what a reader must know beside the value, or None) and run_1, run_2, … (each run's
    value).
    """
    return _of_each(measurements[measurements["metric"] == metric])


def main_values(measurements: pd.DataFrame) -> pd.DataFrame:
    """The same of each configuration's main metric, which is its stage's.

    Columns: those of `configurations` and metric.
    """
    main = measurements["stage"].map(main_metric)
    table = _of_each(measurements[measurements["metric"] == main])
    return table.assign(metric=table["stage"].map(main_metric))


def _of_each(chosen: pd.DataFrame) -> pd.DataFrame:
    groups = chosen.groupby(list(CONFIGURATION), sort=False)
    rows = [dict(zip(CONFIGURATION, key, strict=True)) | _row(runs) for key, runs in groups]
    return pd.DataFrame(rows) if rows else pd.DataFrame(columns=[*CONFIGURATION, *FOUND])


def values(configuration: pd.Series) -> list[float]:
    """The runs' values of one row of `configurations`."""
    runs = configuration.filter(regex=r"^run_\d+$").astype(float)
    return [float(value) for value in runs.dropna()]


def scores(configuration: pd.Series) -> list[float]:
    """The same of one row of `main_values`, but reciprocals where lower is better: higher wins."""
    measured = values(configuration)
    if higher_is_better(configuration["metric"]):
        return measured
    return [1 / value for value in measured]


def sort_within_cases(table: pd.DataFrame, order: dict[str, bool]) -> pd.DataFrame:
    """Sort the rows of each case and stage by columns (True: ascending); these keep their order."""
    kept = {f"{name}_place": pd.factorize(table[name])[0] for name in ("case", "stage")}
    directions = {**dict.fromkeys(kept, True), **order}
    ordered = table.assign(**kept).sort_values(
        list(directions), ascending=list(directions.values()), ignore_index=True
    )
    return ordered.drop(columns=list(kept))


def _row(runs: pd.DataFrame) -> dict[str, Any]:
    measured = runs["value"].dropna().tolist()
    summary = vars(summarise(measured)) if measured else {"n": 0}
    blank = {"mean": None, "median": None, "standard_deviation": None, "half_width": None}
    ok = runs["status"] == "ok"
    return {
        "machine": runs["machine"].iloc[0],
        **blank,
        **summary,
        "repeats": len(runs),
        "disturbed": int((ok & runs["disturbed"]).sum()),
        "status": "ok" if ok.any() else runs["status"].iloc[0],
        "remark": _remark(runs) or None,
        **{f"run_{n}": value for n, value in zip(runs["repeat"], runs["value"], strict=True)},
    }


def _remark(runs: pd.DataFrame) -> str:
    """Why values are missing or doubtful, each reason once with the number of its runs."""
    doubts = runs["reason"].where(runs["status"] == "ok").fillna(runs["absent"]).dropna()
    counts = doubts.value_counts(sort=False)
    told = [_counted(str(doubt), n, len(runs)) for doubt, n in counts.items()]
    machines = runs["machine"].dropna().unique()
    if len(machines) > 1:
        told.append(f"its runs are from different machines: {' and '.join(machines)}")
    return "; ".join(told)


def _counted(doubt: str, n: int, repeats: int) -> str:
    return doubt if n == repeats else f"{n} of {repeats} runs: {doubt}"
