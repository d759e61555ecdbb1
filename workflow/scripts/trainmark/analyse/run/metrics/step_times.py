"""How long steps of the training take, from one return of the training step to the next."""

import numpy as np

from trainmark.analyse.run.drift import drift_percent
from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.percentiles import percentile
from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.steps import step_seconds


@metric(
    title="Step time (median)",
    unit="ms",
    number_format="{:,.2f}",
    higher_is_better=False,
    stages=("train",),
)
def step_time_median(run: Run) -> float:
    """Median time of a step, from one return of the training step to the next.

    Milliseconds; raises Absent without step times.
    """
    return float(1000 * np.median(step_seconds(run)))


@metric(
    title="Step time (90th percentile)",
    unit="ms",
    number_format="{:,.2f}",
    higher_is_better=False,
    stages=("train",),
)
def step_time_p90(run: Run) -> float:
    """90th percentile of the time of a step, from one return of the training step to the next.

    Milliseconds; raises Absent without step times, or with too few.
    """
    return percentile(1000 * step_seconds(run), 90, "steps")


@metric(
    title="Step time (99th percentile)",
    unit="ms",
    number_format="{:,.2f}",
    higher_is_better=False,
    stages=("train",),
)
def step_time_p99(run: Run) -> float:
    """99th percentile of the time of a step, from one return of the training step to the next.

    Milliseconds; raises Absent without step times, or with too few.
    """
    return percentile(1000 * step_seconds(run), 99, "steps")


@metric(
    title="Drift of the step time",
    unit="%",
    number_format="{:+.1f}",
    higher_is_better=False,
    stages=("train",),
)
def drift(run: Run) -> float:
    """How much slower a step is at the window's end than at its beginning.

    Percent, last third of the window over its first; raises Absent without step times.
    """
    return drift_percent(run)
