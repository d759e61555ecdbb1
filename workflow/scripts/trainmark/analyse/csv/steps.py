"""steps.csv: step times in spans of the window."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.run import rows
from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.spans import of_spans
from trainmark.analyse.run.steps import step_ends, step_seconds

COLUMNS = (*rows.RUN, "end_seconds", "milliseconds", "absent")
MOST_SPANS = 100


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """A row per run and span, MOST_SPANS at most; one with the reason where there are none.

    Columns: those of a run; end_seconds of the span in the window; milliseconds, the median of its
    step times; absent.
    """
    return rows.tabulate(runs, rows.or_reason(_spans), COLUMNS)


read = rows.read


def _spans(run: Run) -> Iterator[dict[str, Any]]:
    ends = of_spans(np.max, np.array(step_ends(run)), MOST_SPANS)
    medians = 1000 * of_spans(np.median, step_seconds(run), MOST_SPANS)
    for end, median in zip(ends.tolist(), medians.tolist(), strict=True):
        yield {"end_seconds": end, "milliseconds": median}
