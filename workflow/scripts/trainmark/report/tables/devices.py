"""What a study measures, device by device: a row per metric and framework, a column per device."""

from typing import Any

import pandas as pd

from trainmark.analyse.configurations import configurations
from trainmark.analyse.measurements import CONFIGURATION
from trainmark.report import cells

TITLE = "Devices"
BLOCK = "metric"
METRICS = (
    "training_speed",
    "gpu_memory_mean",
    "gpu_memory",
    "gpu_power",
    "gpu_idle_power",
    "energy_per_1000_images",
    "speed_per_watt",
    "accuracy_top1",
    "parity_error",
)


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration and metric, of the metrics for which any has a value."""
    statistics = ["mean", "median", "standard_deviation", "half_width"]
    columns = [*CONFIGURATION, "machine", "status", "remark", "disturbed", "n", *statistics]
    valued = set(measurements.loc[measurements["value"].notna(), "metric"])
    parts = [
        configurations(measurements, metric)[columns].assign(metric=metric)
        for metric in METRICS
        if metric in valued or metric == METRICS[0]
    ]
    return pd.concat(parts, ignore_index=True).astype(dict.fromkeys(statistics, float))


def show(table: pd.DataFrame) -> pd.DataFrame:
    """One row per metric, case and framework, in the order of the study; one column per device."""
    texts = [_cell(row) for row in table.itertuples()]
    titles = table["metric"].map(cells.heading)
    named = table.assign(metric=titles, framework=cells.framework_titles(table), cell=texts)
    settings = [name for name in cells.varying(table) if name != "device"]
    rows = ["metric", "case", "framework", *settings]
    order = named[rows].drop_duplicates()
    matrix = named.pivot(index=rows, columns="device", values="cell")[named["device"].unique()]
    cellwise = matrix.fillna(cells.NOTHING).rename_axis(columns=None).reset_index()
    return cellwise.merge(order, on=rows, how="right")


def notes(table: pd.DataFrame) -> list[str]:
    """What the marks mean and where it was measured."""
    return cells.notes(table, *[cells.INTERVAL] * bool(table["half_width"].notna().any()))


def _cell(row: Any) -> str:
    if not row.n:
        return cells.NOTHING if row.status == "ok" else str(row.status)
    return cells.number(row.metric, row.mean, row.half_width) + " *" * bool(row.disturbed)
