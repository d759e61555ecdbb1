"""Migration: what becomes of a trained network in each framework, runtime and form."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import sort_within_cases
from trainmark.analyse.run.percentiles import needed
from trainmark.analyse.trained.migration import migration
from trainmark.report.words import cells, layout

TITLE = "Migration"
BLOCK = "case"
SETTING = "trained_by"
NUMBERS = {
    "accuracy_top1": "top-1 %",
    "agreement": "same %",
    "logit_difference": "logits",
    "file_size": "file MB",
    "load_time": "load ms",
    "latency_first": "first ms",
    "latency_p50": "p50 ms",
    "latency_p99": "p99 ms",
    "cpu_memory": "MiB",
}
"""The metrics in the columns, and their short names."""
TRAINED = (
    "All predict the whole test split with the same trained weights. The trainer is the framework "
    "that trained them (the case's trained_by), and all are compared with its own predictions in "
    "float32. points: the change in top-1, with its 95 % interval for paired data (Bonett & Price "
    "2012); same: images given the same class; logits: the largest difference of a logit, as a "
    "share of the trainer's largest logit; gained: images that the trainer missed and this "
    "recognises; lost: the reverse; p: the probability of as many gained or lost, or more, if both "
    "were equally good (McNemar's exact test). Repeats predict the same images, so interval and p "
    "are of one run."
)
TIMES = (
    "load: the model from its files, before any call; first: the first call, with what is compiled "
    "then; p50, p99: of calls that are waited for one by one (the case's steps), and left out "
    f"where these are too few to bound them: it takes {needed((50, 99))}. MiB: the highest memory "
    "of all the run's processes, with what a quantiser or an exporter took in them before."
)
MEANS = "Means over the runs."


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, in each case the fastest first."""
    return sort_within_cases(migration(measurements), {"latency_p50": True})


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    top1, *others = NUMBERS.values()
    columns = ["case", "framework", top1, "points", *others, "gained", "lost", "p", "status"]
    return layout.for_reading(table, columns, _shown, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, TRAINED, f"{TIMES} {MEANS}")


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    top1, *numbers = (cells.number(name, getattr(row, name)) for name in NUMBERS)
    counts = [cells.formatted("{:,.0f}", getattr(row, name)) for name in ("gained", "lost")]
    p_value = cells.formatted("{:.2g}", row.p_value)
    return [row.case, title, top1, _change(row), *numbers, *counts, p_value, cells.status(row)]


def _change(row: Any) -> str:
    if pd.isna(row.change):
        return cells.NOTHING
    return f"{row.change:+.2f} ({row.low:+.2f} to {row.high:+.2f})"
