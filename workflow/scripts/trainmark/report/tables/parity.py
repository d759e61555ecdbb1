"""Framework by case: the worst relative error of each against the float64 reference."""

import pandas as pd

from trainmark.analyse.compare import parity_matrix
from trainmark.report.words import cells, layout

TITLE = "Parity"
BLOCK = "network"
NOTES = [
    "Worst relative error of a run's first calls against a float64 reference: of logits, where "
    "there are gradients of loss and gradients, in training of update, momentum and running "
    "statistics, too. What rounding to a narrow precision hides has no tolerance, and isn't in it; "
    "docs/method/parity.md has the tolerances.",
    cells.BEYOND,
]

make = parity_matrix.matrix


def show(table: pd.DataFrame) -> pd.DataFrame:
    """One row per case (and setting that varies within it), one column per framework."""
    rows = list(dict.fromkeys(["network", "case", *cells.varying(table)]))
    texts = [cells.parity(row) for row in table.itertuples()]
    shown = table.assign(framework=cells.framework_titles(table), cell=texts)
    matrix = shown.pivot(index=rows, columns="framework", values="cell")
    return layout.as_table(matrix)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    place = [] if table.empty else [f"{cells.where(table)}."]
    return [*place, *NOTES]
