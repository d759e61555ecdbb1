"""The distribution of step times within the window."""

import numpy as np

from trainmark.analyse.run import Absent, Run


def step_milliseconds(run: Run, percentile: float) -> float:
    """Return a percentile of the step times, interpolated linearly between the nearest steps.

    The loop isn't synchronised after each step, so where a framework queues its work this is the
    time between two returns of train_step; their sum still ends at the window's edge.
    """
    ends = run.event("window_end")["step_end_seconds"]
    if not ends:
        raise Absent("the window has no steps")
    return float(np.percentile(np.diff(ends, prepend=0.0), percentile) * 1000)
