"""Whether a configuration has had enough repeats."""

from collections.abc import Mapping, Sequence
from typing import Any

from trainmark.analyse.across.statistics import summarise
from trainmark.runs.record import speed

NOT_NEEDED = "not_needed"


def reason_to_stop(records: Sequence[Mapping[str, Any]], interval_percent: float) -> str | None:
    """Why no further repeat is needed after those of the given run.json, or None.

    Either the 95 % interval of the mean training speed is within `interval_percent` of it on both
    sides, or no repeat was ok.
    """
    speeds = [speed(record) for record in records if record["status"] == "ok"]
    if not speeds:
        return f"none of {len(records)} repeats was ok"
    summary = summarise(speeds)
    if summary.half_width is None:
        return None
    percent = 100 * summary.half_width / summary.mean
    if percent > interval_percent:
        return None
    return f"the interval of {summary.n} repeats is ± {percent:.2f} %"
