"""Predictions of one run's weights in every framework, runtime and form, compared."""

from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.compare.configurations import configurations, values
from trainmark.analyse.trained.migration import KEPT, with_trained_weights
from trainmark.report.words import cells

TITLE = "Same weights"
BLOCK = "precision"
SETTING = "trained_by"
QUANTITIES = ("agreement", "logit_difference")
NOTE = (
    "Percent of the test split given the same class as by the framework that trained the weights, "
    "and the largest difference of a logit from its own in float32, by the largest: the "
    "worst of all repeats, each of which has weights of its own."
)


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration that predicts with the weights of another run.

    Columns: those of a configuration, machine, status, remark, disturbed, repeats, agreement (the
    least of its runs) and logit_difference (the largest).
    """
    trained = with_trained_weights(measurements)
    same, differences = (configurations(trained, metric) for metric in QUANTITIES)
    if same.empty:
        return pd.DataFrame(columns=[*KEPT, *QUANTITIES])
    least = [min(values(row), default=np.nan) for _, row in same.iterrows()]
    largest = [max(values(row), default=np.nan) for _, row in differences.iterrows()]
    return same[KEPT].assign(agreement=least, logit_difference=largest)


def show(table: pd.DataFrame) -> pd.DataFrame:
    """One row per framework (and setting that varies), one column per case."""
    settings = [name for name in cells.varying(table) if name != "precision"]
    names = ["precision", "framework", *settings]
    texts = [_cell(row) for row in table.itertuples()]
    shown = table.assign(framework=cells.framework_titles(table), cell=texts)
    rows = [
        dict(zip(names, key, strict=True)) | dict(zip(rows["case"], rows["cell"], strict=True))
        for key, rows in shown.groupby(names, sort=False)
    ]
    columns = [*names, *table["case"].unique()]
    return pd.DataFrame(rows, columns=columns).fillna(cells.NOTHING)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, NOTE)


def _cell(row: Any) -> str:
    if pd.isna(row.agreement):
        return str(row.status if row.status != "ok" else row.remark)
    texts = [cells.number(name, getattr(row, name)) for name in QUANTITIES]
    return f"{texts[0]} %, {texts[1]}{cells.mark(row)}"
