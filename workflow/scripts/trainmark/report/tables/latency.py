"""Latency: percentiles of the calls that were waited for one by one, and the first call apart."""

from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.compare.latencies import of_configurations
from trainmark.analyse.run.percentiles import fewest, interval, needed
from trainmark.report.words import cells, layout

TITLE = "Latency"
SOURCE = "latencies"
BLOCK = "case"
PERCENTILES = (50, 90, 99)
NOTE = (
    "Milliseconds of a call, from a batch in memory to its result on the host (infer: logits; "
    "generate: each text's next token; gradients, train: weights or gradients on the device), the "
    "next call after it. first: the first call (generate: that reads the prompts), with what the "
    "framework compiles or chooses then."
)
INTERVALS = (
    "In brackets the 95 % interval by ranks over the calls of all runs, as if they were "
    f"independent. A percentile without one would take {needed(PERCENTILES)}."
)


def make(latencies: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration: each percentile and its interval, in milliseconds."""
    table = of_configurations(latencies)
    calls = table.pop("milliseconds")
    table["calls"] = calls.map(len)
    for percent in PERCENTILES:
        percentiles = [_percentile(each, percent) for each in calls]
        names = [f"p{percent}", f"p{percent}_low", f"p{percent}_high"]
        table[names] = pd.DataFrame(percentiles, index=table.index, dtype=float)
    return table


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading; rows without calls have their reason, which several may share."""
    percentiles = [f"p{percent} ms" for percent in PERCENTILES]
    columns = ["case", "framework", "n", "calls", "first ms", *percentiles, "status"]
    whole = layout.for_reading(table, columns, _shown, 2)
    return layout.merge_gaps(whole, table["calls"] > 0, ("stage", "precision"))


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, NOTE, INTERVALS)


def _percentile(calls: np.ndarray, percent: float) -> tuple[float, float, float]:
    if len(calls) < fewest(percent):
        return np.nan, np.nan, np.nan
    return (float(np.percentile(calls, percent)), *interval(calls, percent))


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    first = cells.number("latency_first", row.first_milliseconds)
    texts = [_cell(row, f"p{percent}") for percent in PERCENTILES]
    calls = str(row.calls) if row.calls else cells.NOTHING
    return [row.case, title, str(row.n), calls, first, *texts, cells.status(row)]


def _cell(row: Any, name: str) -> str:
    low, value, high = (getattr(row, column) for column in (f"{name}_low", name, f"{name}_high"))
    if pd.isna(value):
        return cells.NOTHING
    low, value, high = (cells.number("latency_p50", each) for each in (low, value, high))
    return f"{value} ({low} to {high})"
