"""Default settings carried to other data sets: accuracy and training time in each framework."""

import pandas as pd

from trainmark.analyse.published import gtdlbench
from trainmark.analyse.published.default_settings import outcomes
from trainmark.report.words import cells, matrix

TITLE = "Default settings on each data set"
SETTING = "default_of"
BLOCK = matrix.BLOCK
PUBLISHED = ("gtdlbench",)
NOTE = (
    "A row for each setting, by its framework and its network, a column for each data set. [ ]: "
    "the data set that the setting is a default for."
)


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per setting, framework, data set, point of the axes and metric.

    `home` is the data set that it is a default for, where GTDLBench has the setting.
    """
    table = outcomes(measurements)
    return table if table.empty else gtdlbench.with_homes(table)


def show(table: pd.DataFrame) -> pd.DataFrame:
    """A matrix for each framework and metric, in the order of the study."""
    if table.empty:
        return pd.DataFrame(columns=[BLOCK, "setting"])
    rows = matrix.ordered(table, "framework")
    settings = zip(rows["default_of"], rows["network"], strict=True)
    names = [f"{cells.framework_title(owner, owner)}: {network}" for owner, network in settings]
    marked = rows.assign(marked=rows["dataset"] == rows["home"])
    frameworks = cells.framework_titles(rows)
    return matrix.shown(marked, frameworks, "setting", names, list(rows["dataset"]))


def notes(table: pd.DataFrame) -> list[str]:
    """The meaning of the brackets, and where it was measured."""
    return matrix.notes(table, NOTE)
