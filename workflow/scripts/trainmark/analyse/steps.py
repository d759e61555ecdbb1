"""When steps ended within the window, and the distribution of their times."""

import numpy as np

from trainmark.analyse.run import Absent, Run

QUEUED_STEPS = 2  # so much of the window may be left when the last step returns


def step_milliseconds(run: Run, percentile: float) -> float:
    """Return a percentile of the step times, interpolated linearly between the nearest steps."""
    return float(np.percentile(np.diff(step_ends(run), prepend=0.0), percentile) * 1000)


def step_ends(run: Run) -> list[float]:
    """When each call of train_step returned, in seconds since the window's start.

    The loop isn't synchronised after each step. Raises Absent where these times say nothing of
    when a step or a wait took place, because the framework only queued its work.
    """
    ends: list[float] = run.event("window_end")["step_end_seconds"]
    if not ends:
        raise Absent("the window has no steps")
    if run.window_seconds - ends[-1] > QUEUED_STEPS * run.window_seconds / len(ends):
        raise Absent("the framework queues its steps and returns before they are done")
    return ends
