"""The distribution of step times within the window."""

import numpy as np

from trainmark.analyse.run import Absent, Run

QUEUED_STEPS = 2  # so much of the window may be left when the last step returns


def step_milliseconds(run: Run, percentile: float) -> float:
    """Return a percentile of the step times, interpolated linearly between the nearest steps.

    The loop isn't synchronised after each step, so these are times between two returns of
    train_step. Raises Absent where those say nothing, because the framework only queued its work.
    """
    ends = run.event("window_end")["step_end_seconds"]
    if not ends:
        raise Absent("the window has no steps")
    if run.window_seconds - ends[-1] > QUEUED_STEPS * run.window_seconds / len(ends):
        raise Absent("the framework queues its steps and returns before they are done")
    return float(np.percentile(np.diff(ends, prepend=0.0), percentile) * 1000)
