"""Each framework with the default settings of each: accuracy and training time by data set."""

import pandas as pd

from trainmark.analyse.published.default_settings import outcomes
from trainmark.report.words import cells, matrix

TITLE = "Frameworks with each other's default settings"
SETTING = "default_of"
BLOCK = matrix.BLOCK
NOTE = (
    "A row for each framework, a column for the default setting of each. [ ]: the framework with "
    "its own default. Of several cases of a setting, say one for each seed, all runs count."
)

make = outcomes


def show(table: pd.DataFrame) -> pd.DataFrame:
    """A matrix for each data set and metric, in the order of the study."""
    if table.empty:
        return pd.DataFrame(columns=[BLOCK, "framework"])
    rows = matrix.ordered(table, "dataset")
    frameworks = cells.framework_titles(rows)
    marked = rows.assign(marked=rows["is_own"])
    return matrix.shown(marked, list(rows["dataset"]), "framework", frameworks, _settings(rows))


def notes(table: pd.DataFrame) -> list[str]:
    """The meaning of the brackets, and where it was measured."""
    return matrix.notes(table, NOTE)


def _settings(table: pd.DataFrame) -> list[str]:
    """Name each setting by its framework, and by its network where it has several on a data set."""
    titles = [cells.framework_title(owner, owner) for owner in table["default_of"]]
    if table.groupby(["default_of", "dataset"])["network"].nunique().max() == 1:
        return titles
    return [": ".join(pair) for pair in zip(titles, table["network"], strict=True)]
