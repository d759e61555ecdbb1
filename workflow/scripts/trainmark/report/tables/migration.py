"""Migration: what becomes of a trained network in each framework, runtime and form."""

from typing import Any

import pandas as pd

from trainmark.analyse.across.configurations import sort_within_cases
from trainmark.analyse.migration import migration
from trainmark.report.show import cells

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
"""What is shown of a configuration, and its short name."""
TRAINED = (
    "All predict the test split with the weights that the framework ended with which the case's "
    "trained_by names. points: the change in top-1 from that framework, in float32, with its 95 % "
    "interval for paired data (Bonett & Price 2012); same: images given the same class as by it; "
    "logits: the largest difference from its own, by the largest; gained and lost: images "
    "recognised here alone, and there alone; p: the probability of as many or more if both were "
    "equally good (McNemar's exact test). Repeats predict the same images, so interval and p are "
    "of one run."
)
TIMES = (
    "load: the model from its files; first: the first call, with what is compiled then; p50, p99: "
    "calls that are waited for one by one; MiB: the highest memory of all its processes."
)
MEANS = "Means over the runs."


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, in each case the fastest first."""
    return sort_within_cases(migration(measurements), {"latency_p50": True})


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The same for reading."""
    top1, *others = NUMBERS.values()
    columns = ["case", "framework", top1, "points", *others, "gained", "lost", "p", "status"]
    shown = pd.DataFrame([_shown(row) for row in table.itertuples()], columns=columns)
    return cells.with_settings(shown, table, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """What the numbers are and where they were measured."""
    return cells.notes(table, TRAINED, f"{TIMES} {MEANS}")


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    top1, *numbers = (cells.number(name, getattr(row, name)) for name in NUMBERS)
    changed = [cells.formatted("{:,.0f}", getattr(row, name)) for name in ("gained", "lost")]
    chance = cells.formatted("{:.2g}", row.chance)
    return [row.case, title, top1, _change(row), *numbers, *changed, chance, cells.status(row)]


def _change(row: Any) -> str:
    if pd.isna(row.change):
        return cells.NOTHING
    return f"{row.change:+.2f} ({row.low:+.2f} to {row.high:+.2f})"
