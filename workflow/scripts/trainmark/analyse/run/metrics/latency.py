"""How long calls take that are waited for one by one."""

from trainmark.analyse.run.latency import milliseconds, percentile
from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Run


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
    return percentile(run, 50)


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
    return percentile(run, 90)


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
    return percentile(run, 99)


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
