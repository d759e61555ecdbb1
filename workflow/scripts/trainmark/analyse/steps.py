"""The distribution of step times within the window."""

import numpy as np

from trainmark.analyse.run import Absent, Run

QUEUED_SHARE = 0.9  # of the window, that the steps must have taken to have been waited for


def step_milliseconds(run: Run, percentile: float) -> float:
    """Return a percentile of the step times, interpolated linearly between the nearest steps.

    The loop isn't synchronised after each step, so these are times between two returns of
    train_step. Raises Absent where those say nothing, because the framework only queued its work.
    """
    ends = run.event("window_end")["step_end_seconds"]
    if not ends:
        raise Absent("the window has no steps")
    if ends[-1] < QUEUED_SHARE * run.window_seconds:
        raise Absent("the framework queues its steps and returns before they are done")
    return float(np.percentile(np.diff(ends, prepend=0.0), percentile) * 1000)
