"""losses.csv: mean losses in spans of the window."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.run import rows
from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.run.spans import of_spans

COLUMNS = (*rows.RUN, "steps", "seconds", "loss", "absent")
MOST_SPANS = 50


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """A row per run and span, MOST_SPANS at most; one with the reason where nothing is trained.

    Columns: those of a run; steps and seconds from the first warm-up step to the span's end; loss,
    the mean; absent. Seconds are as if all steps of the window took the same time, which is known
    of every framework.
    """
    return rows.tabulate(runs, rows.or_reason(_spans), COLUMNS)


read = rows.read


def _spans(run: Run) -> Iterator[dict[str, Any]]:
    losses = np.array(run.event("window_end")["losses"], dtype=float)
    if not len(losses):
        raise Absent(f"stage {run.job['stage']} trains nothing, so it has no losses")
    before, step_seconds = run.event("warmup"), run.window_seconds / len(losses)
    ends = of_spans(np.max, np.arange(1, len(losses) + 1), MOST_SPANS)
    means = of_spans(np.mean, losses, MOST_SPANS)
    for done, loss in zip(ends.tolist(), means.tolist(), strict=True):
        yield {
            "steps": int(before["steps"]) + done,
            "seconds": float(before["seconds"]) + done * step_seconds,
            "loss": loss,
        }
