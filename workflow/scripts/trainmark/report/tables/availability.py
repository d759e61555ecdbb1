"""Framework by case: which of them were measured, on any device."""

import pandas as pd

from trainmark.analyse.compare.configurations import main_values
from trainmark.report.words import cells, layout
from trainmark.study.axes import CONFIGURATION

TITLE = "Availability"
BLOCK = "study"
MEASURED = "✓"


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration."""
    table = main_values(measurements)
    return table[[*CONFIGURATION, "machine", "status", "remark", "n"]]


def show(table: pd.DataFrame) -> pd.DataFrame:
    """One row per framework and one column per case, both in the order of the study."""
    named = table.assign(framework=cells.framework_titles(table))
    matrix = named.groupby(["study", "framework", "case"], sort=False)[["n", "status"]].apply(_cell)
    order = named["framework"].unique(), named["case"].unique()
    wide = matrix.droplevel("study").unstack().reindex(index=order[0], columns=order[1])
    shown = layout.as_table(wide)
    shown.insert(0, "study", table["study"].iloc[0])
    return shown


def notes(table: pd.DataFrame) -> list[str]:
    """The number of measured cells."""
    cellwise = table.groupby(["framework", "case"])["n"].max()
    return [f"{(cellwise > 0).sum()} of {len(cellwise)} cells were measured."]


def _cell(group: pd.DataFrame) -> str:
    return MEASURED if group["n"].any() else str(group["status"].iloc[0])
