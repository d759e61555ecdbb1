"""Whether a configuration has had enough repeats."""

from collections.abc import Sequence

from trainmark.analyse.compare.statistics import summarise


def reason_to_stop(values: Sequence[float], repeats: int, interval_percent: float) -> str | None:
    """Why no further repeat is needed after so many repeats, or None.

    `values` are those of the main metric, of the repeats that were ok. Either the 95 % interval of
    their mean is within `interval_percent` of it on both sides, or no repeat was ok.
    """
    if not values:
        return f"none of {repeats} repeats was ok"
    summary = summarise(values)
    if summary.half_width is None:
        return None
    percent = 100 * summary.half_width / summary.mean
    if percent > interval_percent:
        return None
    return f"the interval of {summary.n} repeats is ± {percent:.2f} %"
