"""Accuracy of equal trainings in every framework, and whether the framework matters."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, run_values, sort_within_cases
from trainmark.analyse.compare.statistics import p_value_within_blocks
from trainmark.report.words import cells, layout
from trainmark.study import stages
from trainmark.study.axes import ALL_BUT_FRAMEWORK

TITLE = "Same training"
BLOCK = "case"
METRIC = "accuracy_top1"
LIKELY = (
    "p: the probability of frameworks that differ as much, or more, if it made no difference which "
    "one trains (permutation test within repeats, so that a seed that they have in common doesn't "
    "matter). Above 0.05 their differences may be noise: they are no more than those between the "
    "runs of one framework."
)
SEEDS = (
    "deviation: standard deviation over the runs. Their seeds differ where a case has vary_seed; "
    "of one seed all frameworks have the same initial weights and the same images in the same "
    "order. Else the runs of a framework differ by what it does in no fixed order alone."
)


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration that trains, in each case the most accurate first.

    Columns: those of `configurations`, and p_value, of one test of all frameworks that
    are compared.
    """
    updates = {stage: stages.updates_weights(stage) for stage in measurements["stage"].unique()}
    table = configurations(measurements[measurements["stage"].map(updates)], METRIC)
    if table.empty:
        return table
    p_values = pd.Series(index=table.index, dtype=float)
    for _, rows in table.groupby(list(ALL_BUT_FRAMEWORK)):
        p_values[rows.index] = p_value_within_blocks(
            [run_values(row) for _, row in rows.iterrows()]
        )
    ordered = table.assign(p_value=p_values, score=table["mean"].astype(float))
    return sort_within_cases(ordered, {"score": False, "framework": True}).drop(columns="score")


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    columns = ["case", "framework", "n", "top-1 %", "deviation", "p", "status"]
    return layout.for_reading(table, columns, _shown, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, LIKELY, SEEDS, cells.INTERVAL)


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    top1 = cells.number(METRIC, row.mean, row.half_width)
    deviation = cells.formatted("{:.2f}", row.standard_deviation)
    p_value = cells.formatted("{:.2g}", row.p_value)
    return [row.case, title, str(row.n), top1, deviation, p_value, cells.status(row)]
