"""Resources that each configuration used: processor, memory, disk and GPU."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import beside_main
from trainmark.report.words import cells, layout

TITLE = "Resources"
BLOCK = "case"
METRICS = {
    "own_cpu": "CPU",
    "cpu_user": "user",
    "cpu_system": "system",
    "cpu_waiting": "waiting",
    "cpu_memory_mean": "memory",
    "cpu_memory": "peak",
    "disk_read": "read",
    "disk_written": "written",
    "gpu_utilisation": "GPU",
    "gpu_memory": "GPU memory",
    "gpu_power": "GPU power",
}
"""The metrics in the columns, and their short names."""
NOTE = "Means over the runs; intervals are in the CSV."


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, with mean, half_width (of its interval) and n of each metric."""
    return beside_main(measurements, METRICS)


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading, of the metrics of which there is a value."""
    names = cells.valued(table, METRICS)
    columns = ["case", "framework", *(METRICS[name] for name in names), "status"]
    return layout.for_reading(table, columns, lambda row: _shown(row, names), 2)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the columns, and on metrics without a value."""
    valued = cells.valued(table, METRICS)
    without = [METRICS[name] for name in METRICS if name not in valued]
    gaps = [f"No run has a value of: {', '.join(without)}."] if without else []
    return cells.notes(table, f"{cells.meanings(METRICS, valued)}. {NOTE}", *gaps)


def _shown(row: Any, names: list[str]) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    values = [cells.number(name, getattr(row, f"{name}_mean")) for name in names]
    return [row.case, title, *values, cells.status(row)]
