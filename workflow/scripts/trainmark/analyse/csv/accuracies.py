"""accuracies.csv: accuracies on the test split while training went on."""

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from trainmark.analyse.run import rows
from trainmark.analyse.run.metrics.accuracy import Evaluation, evaluations
from trainmark.analyse.run.recording import Run

COLUMNS = (*rows.RUN, *Evaluation._fields, "absent")


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """A row per run and evaluation; one with the reason for a run without any.

    Columns: those of a run; those of an Evaluation; absent.
    """
    table = rows.tabulate(runs, rows.or_reason(_points), COLUMNS)
    return table.astype({"steps": "Int64"})


read = rows.read


def _points(run: Run) -> Iterator[dict[str, Any]]:
    return (point._asdict() for point in evaluations(run))
