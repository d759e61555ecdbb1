"""attacks.csv: what each attack came to in each run."""

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from trainmark.analyse.run import rows
from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.run.value import require_ok
from trainmark.study.stages import ATTACK

EVENTS = {ATTACK: "attacks", "infer": "transferred"}
"""The event of attacks by the stage: of the run's own, or of those whose images it predicts."""

COUNTS = ("count", "recognised", "fooled", "made", "passed")
MEANS = ("l2_mean", "linf_mean", "predictions", "gradients", "seconds")
COLUMNS = (
    *rows.RUN,
    "attacked_by",
    "attack",
    "epsilon",
    *COUNTS,
    *MEANS,
    "l2_median",
    "linf_median",
    "absent",
)


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """A row for each run, attack and epsilon, in the order of the study.

    Of runs of stage attack, and of runs that predict what these made. One without the event has one
    row. Columns: those of a run; attacked_by, the framework that attacked; attack; epsilon (pixels
    from 0 to 1), if it takes one; the images (count), those recognised before and those of them
    that it fooled; of others' attacks those that it had fooled there (made), and how many of these
    aren't recognised here (passed); of its own the distances of the images that fooled, of how many
    images it computed predictions and gradients, and seconds; absent, why a run has none of them.
    """
    return rows.tabulate(filter(_attacks, runs), _rows, COLUMNS)


read = rows.read


def _attacks(run: Run) -> bool:
    return run.job["stage"] == ATTACK or run.job["attacked_by"] is not None


def _rows(run: Run) -> Iterator[dict[str, Any]]:
    stage = run.job["stage"]
    by = {"attacked_by": run.job["framework"] if stage == ATTACK else run.job["attacked_by"]}
    try:
        require_ok(run)
        event = run.event(EVENTS[stage])
    except Absent as absent:
        yield by | {"absent": str(absent)}
        return
    lists = {name: value for name, value in event.items() if isinstance(value, list)}
    whole = {name: event[name] for name in ("count", "recognised")}
    for values in zip(*lists.values(), strict=True):
        yield by | whole | dict(zip(lists, values, strict=True))
