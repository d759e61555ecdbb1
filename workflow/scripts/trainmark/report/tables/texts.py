"""Texts: tokens per second, what a language model learned, and how a generation's time is spent."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import beside_main
from trainmark.report.words import cells, layout
from trainmark.study.stages import GENERATION

TITLE = "Texts"
BLOCK = "case"
METRICS = {
    "token_speed": "tokens/s",
    "generation_speed": "generated/s",
    "time_to_first_token": "first token ms",
    "latency_p50": "each token ms",
    "achieved_gflops": "GFLOP/s",
    "bits_per_byte": "bits per byte",
    "cpu_memory": "memory",
    "gpu_memory": "GPU memory",
}
"""The metrics in the columns, and their short names."""
OF_TOKENS = ("latency_p50",)
"""In other stages than generate this is of a batch."""
MEMORY = ("cpu_memory", "gpu_memory")
"""Of a generation these are the proof's, which has the logits of whole texts."""
NOTE = "Means over the runs, with the half width of their 95 % interval."


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, with mean and half_width (of its interval) of each metric."""
    table = beside_main(measurements, METRICS)
    generates = table["stage"] == GENERATION
    for names, has_value in ((OF_TOKENS, generates), (MEMORY, ~generates)):
        columns = [f"{name}_{part}" for name in names for part in ("mean", "half_width")]
        table[columns] = table[columns].where(has_value)
    return table


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading, of the metrics of which there is a value."""
    names = cells.valued(table, METRICS)
    columns = ["case", "framework", "n", *(METRICS[name] for name in names), "status"]
    return layout.for_reading(table, columns, lambda row: _shown(row, names), 3)


def notes(table: pd.DataFrame) -> list[str]:
    """What the columns are."""
    columns = cells.meanings(METRICS, cells.valued(table, METRICS))
    return cells.notes(table, f"{columns}. {NOTE}")


def _shown(row: Any, names: list[str]) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    values = [
        cells.number(name, getattr(row, f"{name}_mean"), getattr(row, f"{name}_half_width"))
        for name in names
    ]
    return [row.case, title, str(row.n), *values, cells.status(row)]
