"""How long calls take that are waited for one by one."""

import numpy as np

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.percentiles import percentile
from trainmark.analyse.run.recording import Absent, Run


@metric(
    title="Latency (median)",
    unit="ms",
    number_format="{:,.3f}",
    higher_is_better=False,
)
def latency_p50(run: Run) -> float:
    """Median of the time of a call, each of them waited for.

    Milliseconds; raises Absent without calls that were waited for, or with too few.
    """
    return percentile(milliseconds(run), 50, "calls")


@metric(
    title="Latency (90th percentile)",
    unit="ms",
    number_format="{:,.3f}",
    higher_is_better=False,
)
def latency_p90(run: Run) -> float:
    """90th percentile of the time of a call, each of them waited for.

    Milliseconds; raises Absent without calls that were waited for, or with too few.
    """
    return percentile(milliseconds(run), 90, "calls")


@metric(
    title="Latency (99th percentile)",
    unit="ms",
    number_format="{:,.3f}",
    higher_is_better=False,
)
def latency_p99(run: Run) -> float:
    """99th percentile of the time of a call, each of them waited for.

    Milliseconds; raises Absent without calls that were waited for, or with too few.
    """
    return percentile(milliseconds(run), 99, "calls")


@metric(
    title="Latency (mean)",
    unit="ms",
    number_format="{:,.3f}",
    higher_is_better=False,
)
def latency_mean(run: Run) -> float:
    """Mean of the time of a call, each of them waited for.

    Milliseconds; raises Absent without calls that were waited for.
    """
    return float(milliseconds(run).mean())


@metric(
    title="Latency (first call)",
    unit="ms",
    number_format="{:,.1f}",
    higher_is_better=False,
)
def latency_first(run: Run) -> float:
    """Time of the first call, in which frameworks compile or choose what they compute with.

    Milliseconds of the first call of what the stage times, before anything is settled.
    """
    return 1000 * float(run.event("first_step")["seconds"])


def milliseconds(run: Run) -> np.ndarray:
    """Each call's milliseconds, float64 (calls,); raises Absent where no call was waited for."""
    if run.job["stage"] == "train" and not run.job["latency_steps"]:
        raise Absent("the case asks for no latency_steps, which are waited for one by one")
    return 1000 * np.array(run.event("latency")["call_seconds"])
