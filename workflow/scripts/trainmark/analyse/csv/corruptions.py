"""corruptions.csv: accuracy and agreement on the same test images as they are and corrupted."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from trainmark.analyse.run import rows
from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.run.value import require_ok

ORIGINAL = "original"
"""The name, in the column corruption, of images that aren't corrupted."""
COUNTS = ("count", "same", "gained", "lost")
QUANTITIES = (*COUNTS, "top1", "logit_difference")
COLUMNS = (*rows.RUN, "corruption", *QUANTITIES, "absent")


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """One row per run and kind of images, of the runs whose job names corruptions.

    Columns: those of a run, corruption, count (images), top1 (percent), and beside the framework
    that trained same, gained, lost (images) and logit_difference, empty of that one itself; absent,
    why a run has none of them.
    """
    corrupting = (run for run in runs if run.job["corruptions"])
    return rows.tabulate(corrupting, _rows, COLUMNS)


read = rows.read


def _rows(run: Run) -> Iterator[dict[str, Any]]:
    """A run that predicted none has a row for each kind of images too, with the reason."""
    try:
        yield from _predicted(run)
    except Absent as absent:
        for name in (None, *run.job["corruptions"]):
            yield {"corruption": name or ORIGINAL, "absent": str(absent)}


def _predicted(run: Run) -> Iterator[dict[str, Any]]:
    require_ok(run)
    event = run.event("corruptions")
    for position, corruption in enumerate(event["names"]):
        values = {name: event[name][position] for name in QUANTITIES if name in event}
        yield {"corruption": corruption or ORIGINAL} | _comparable(values)


def _comparable(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without those beside the trainer where logits aren't finite."""
    names = QUANTITIES if values.get("logit_difference") is not None else ("count", "top1")
    return {name: values[name] for name in names}
