"""Configurations: one row for all repeats of each, and no configuration is left out."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from trainmark.analyse.compare.statistics import summarise
from trainmark.study import plugins
from trainmark.study.axes import CONFIGURATION, HOST_DEFAULTS
from trainmark.study.stages import higher_is_better, main_metric

COLUMNS = (
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

OF_RUNS = ("repeat", "status", "reason", "disturbed", "machine", "machine_name", "device", "absent")
"""The columns that a run is read from, besides its value; two are of its configuration, too."""

RUN_COLUMN = "run_"
"""The beginning of the names of columns of single runs, before the run's number."""

Run = Mapping[str, Any]
"""One run's value of a metric (NaN without one), with OF_RUNS; None where a cell is empty."""


def configurations(measurements: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per configuration with a metric's statistics over its repeats (`summarise_runs`)."""
    return summarise_runs(measurements[measurements["metric"] == metric])


def in_its_stages(measurements: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The rows of `configurations` whose stage has the metric."""
    table = configurations(measurements, metric)
    stages = plugins.facts("metric", metric).get("STAGES", table["stage"])
    return table[table["stage"].isin(stages)]


def main_rows(measurements: pd.DataFrame) -> pd.DataFrame:
    """The measurements of the main metric of each run's stage, one row per run."""
    main = {stage: main_metric(stage) for stage in measurements["stage"].unique()}
    return measurements[measurements["metric"] == measurements["stage"].map(main)]


def main_values(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration with the statistics of its stage's main metric.

    Columns: those of `configurations` and metric.
    """
    table = summarise_runs(main_rows(measurements))
    return table.assign(metric=table["stage"].map(main_metric))


def beside_main(measurements: pd.DataFrame, metrics: Iterable[str]) -> pd.DataFrame:
    """One row per configuration, with mean, half_width (of its interval) and n of each metric.

    Columns: those of a configuration; machine, status, remark, disturbed and n of main_values();
    and <metric>_mean, <metric>_half_width and <metric>_n.
    """
    main = main_values(measurements)
    facts = main[[*CONFIGURATION, "machine", "status", "remark", "disturbed", "n"]]
    return with_metrics(facts, measurements, metrics)


def with_metrics(
    table: pd.DataFrame,
    measurements: pd.DataFrame,
    metrics: Iterable[str],
    statistics: Sequence[str] = ("mean", "half_width", "n"),
) -> pd.DataFrame:
    """Configurations with columns <metric>_<statistic>, float64, of further metrics."""
    for metric in metrics:
        further = configurations(measurements, metric)
        columns = further[[*statistics]].astype(float).add_prefix(f"{metric}_")
        beside = further[[*CONFIGURATION]].join(columns)
        table = table.merge(beside, on=list(CONFIGURATION), how="left")
    return table


def summarise_runs(chosen: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration; `chosen` has one row per run, with its `value` or `absent`.

    Columns: those of a configuration, machine, mean, median, standard_deviation, half_width (of the
    95 % interval), n (values), repeats (runs), disturbed (runs), status ("ok" if any run was),
    remark (what a reader must know beside the value, or None) and run_1, run_2, … (each run's
    value).
    """
    groups: dict[tuple[Any, ...], list[Run]] = {}
    first: dict[tuple[Any, ...], str] = {}
    for key, run in zip(_keys(chosen), _runs(chosen), strict=True):
        groups.setdefault(key, []).append(run)
        if run["status"] == "ok":
            first.setdefault(_named_hardware(run), run["machine"])
    rows = [
        dict(zip(CONFIGURATION, key, strict=True)) | _row(runs, first.get(_named_hardware(runs[0])))
        for key, runs in groups.items()
    ]
    return pd.DataFrame(rows) if rows else pd.DataFrame(columns=[*CONFIGURATION, *COLUMNS])


def _keys(chosen: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    """What identifies the configuration of each row."""
    return zip(*(chosen[name].astype(object).tolist() for name in CONFIGURATION), strict=True)


def _runs(chosen: pd.DataFrame) -> Iterator[Run]:
    """The run of each row; DataFrame.to_dict takes five times as long."""
    cells = [chosen[name].astype(object) for name in OF_RUNS]
    columns = [column.where(column.notna(), None).tolist() for column in cells]
    values = chosen["value"].astype(float).tolist()
    names = (*OF_RUNS, "value")
    return (dict(zip(names, row, strict=True)) for row in zip(*columns, values, strict=True))


def run_columns(table: pd.DataFrame) -> list[str]:
    """The columns of `configurations` that have the values of single runs."""
    return [str(name) for name in table if str(name).startswith(RUN_COLUMN)]


def run_values(configuration: pd.Series | Mapping[Any, Any]) -> dict[str, float]:
    """The values of one row of `configurations`, by the numbers of the runs that have one."""
    return {
        str(name).removeprefix(RUN_COLUMN): float(value)
        for name, value in configuration.items()
        if str(name).startswith(RUN_COLUMN) and value is not None and not math.isnan(value)
    }


def values(configuration: pd.Series) -> list[float]:
    """The runs' values of one row of `configurations`."""
    return list(run_values(configuration).values())


def scores(configuration: pd.Series) -> list[float]:
    """The runs' values of one row of `main_values`, reciprocals where lower is better."""
    measured = values(configuration)
    if higher_is_better(configuration["metric"]):
        return measured
    return [1 / value for value in measured]


def sort_within_cases(table: pd.DataFrame, order: dict[str, bool]) -> pd.DataFrame:
    """Sort rows by columns (True: ascending) within each case and stage, whose order stays."""
    kept = {f"{name}_place": pd.factorize(table[name])[0] for name in ("case", "stage")}
    directions = {**dict.fromkeys(kept, True), **order}
    ordered = table.assign(**kept).sort_values(
        list(directions), ascending=list(directions.values()), ignore_index=True
    )
    return ordered.drop(columns=list(kept))


def _named_hardware(run: Run) -> tuple[Any, ...]:
    """The study's names of a run's hardware: runs with the same names should have the same."""
    return run["machine_name"], run["device"]


def _row(runs: Sequence[Run], first_machine: str | None) -> dict[str, Any]:
    measured = [run["value"] for run in runs if not math.isnan(run["value"])]
    summary = vars(summarise(measured)) if measured else {"n": 0}
    blank = {"mean": None, "median": None, "standard_deviation": None, "half_width": None}
    ok = [run for run in runs if run["status"] == "ok"]
    return {
        "machine": (ok or runs)[0]["machine"],  # one left out tells nothing of GPUs and nodes
        **blank,
        **summary,
        "repeats": len(runs),
        "disturbed": sum(bool(run["disturbed"]) for run in ok),
        "status": "ok" if ok else runs[0]["status"],
        "remark": _remark(runs, first_machine) or None,
        **{f"{RUN_COLUMN}{run['repeat']}": run["value"] for run in runs},
    }


def _remark(runs: Sequence[Run], first_machine: str | None) -> str:
    """Why values are missing or doubtful, each reason once with the number of its runs.

    `first_machine` is the hardware of the first run with the same `_named_hardware`.
    """
    counts = Counter(remark for remark in map(_of_run, runs) if remark is not None)
    remarks = [_counted(str(remark), n, len(runs)) for remark, n in counts.items()]
    machines = dict.fromkeys(run["machine"] for run in runs if run["status"] == "ok")
    if len(machines) > 1:
        remarks.append(f"its runs are from different machines: {' and '.join(machines)}")
    elif machines and first_machine not in (None, *machines):
        machine_name = runs[0]["machine_name"]
        name = "" if machine_name in HOST_DEFAULTS.values() else f" of {machine_name}"
        remarks.append(f"on other hardware than the first runs{name}, {first_machine}")
    return "; ".join(remarks)


def _of_run(run: Run) -> Any:
    """Why a run has no value, or the remark on a run with one; None without either."""
    if run["status"] != "ok" or math.isnan(run["value"]):
        return run["absent"]
    return run["reason"]


def _counted(remark: str, n: int, repeats: int) -> str:
    return remark if n == repeats else f"{n} of {repeats} runs: {remark}"
