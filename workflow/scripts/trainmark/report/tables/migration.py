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
    "trained_by names. same: images given the same class as by that framework; logits: the largest "
    "difference from its own, by the largest; + and -: images recognised here alone, and there "
    "alone; p: the probability of as many or more if both were equally good (McNemar's exact test)."
)
TIMES = (
    "load: the model from its files; first: the first call, with what is compiled then; p50, p99: "
    "calls that are waited for one by one; MiB: the highest memory of all its processes."
)
MEANS = "Means over the runs."


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, the precisions of each framework together."""
    return sort_within_cases(migration(measurements), {"latency_p50": True})


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The same for reading."""
    columns = ["case", "framework", *NUMBERS.values(), "+", "-", "p", "status"]
    shown = pd.DataFrame([_shown(row) for row in table.itertuples()], columns=columns)
    return cells.with_settings(shown, table, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """What the numbers are and where they were measured."""
    return cells.notes(table, TRAINED, f"{TIMES} {MEANS}")


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    numbers = [cells.number(name, getattr(row, name)) for name in NUMBERS]
    changed = [cells.formatted("{:,.0f}", getattr(row, name)) for name in ("gained", "lost")]
    chance = cells.formatted("{:.2g}", row.chance)
    return [row.case, title, *numbers, *changed, chance, cells.status(row)]
