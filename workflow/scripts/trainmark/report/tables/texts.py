"""Texts: tokens per second, what a language model learned, and how a generation's time is spent."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, main_values
from trainmark.report.words import cells
from trainmark.study.arithmetic import GENERATION
from trainmark.study.axes import CONFIGURATION

TITLE = "Texts"
BLOCK = "case"
OF_TEXT = True
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
MEMORY = ("cpu_memory", "gpu_memory")
"""Of a generation these are the proof's, which has the logits of whole texts."""
NOTE = "Means over the runs, with the half width of their 95 % interval."


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, with mean and half_width (of its interval) of each metric."""
    main = main_values(measurements)
    table = main[[*CONFIGURATION, "machine", "status", "remark", "disturbed", "n"]]
    parts = [
        configurations(measurements, metric)
        .reindex(index=main.index, columns=["mean", "half_width"])
        .astype(float)
        .add_prefix(f"{metric}_")
        for metric in METRICS
    ]
    whole = pd.concat([table, *parts], axis="columns")
    of_tokens = ["latency_p50_mean", "latency_p50_half_width"]  # elsewhere these are of batches
    whole[of_tokens] = whole[of_tokens].where(whole["stage"] == GENERATION)
    of_runs = [f"{metric}_{name}" for metric in MEMORY for name in ("mean", "half_width")]
    whole[of_runs] = whole[of_runs].where(whole["stage"] != GENERATION)
    return whole


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading, of the metrics of which there is a value."""
    names = _valued(table)
    columns = ["case", "framework", "n", *(METRICS[name] for name in names), "status"]
    rows = [_shown(row, names) for row in table.itertuples()]
    return cells.with_settings(pd.DataFrame(rows, columns=columns), table, 3)


def notes(table: pd.DataFrame) -> list[str]:
    """What the columns are."""
    columns = ", ".join(f"{METRICS[name]}: {cells.heading(name)}" for name in _valued(table))
    return cells.notes(table, f"{columns}. {NOTE}")


def _valued(table: pd.DataFrame) -> list[str]:
    return [name for name in METRICS if table[f"{name}_mean"].notna().any()]


def _shown(row: Any, names: list[str]) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    values = [
        cells.number(name, getattr(row, f"{name}_mean"), getattr(row, f"{name}_half_width"))
        for name in names
    ]
    return [row.case, title, str(row.n), *values, cells.status(row)]
