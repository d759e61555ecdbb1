"""When steps ended within the window, and how long they took."""

import numpy as np

from trainmark.analyse.run.recording import Absent, Run
from trainmark.study import stages

QUEUED_STEPS = 2  # so much of the window may be left when the last step returns
FEWEST_STEPS = 8  # of fewer, two are so much that queued steps pass for done ones


def step_seconds(run: Run) -> np.ndarray:
    """The time of each step of the window, float64 (steps,); raises Absent as step_ends does."""
    return np.diff(step_ends(run), prepend=0.0)


def step_ends(run: Run) -> list[float]:
    """When each call of train_step returned, in seconds since the window's start.

    The loop isn't synchronised after each step, except where max_seconds bounds the window. Raises
    Absent where these times say nothing of when a step or a wait took place, because the framework
    only queued its work, or may have.
    """
    if not stages.updates_weights(run.job["stage"]):
        raise Absent(f"stage {run.job['stage']} has latencies of its calls instead")
    ends: list[float] = run.event("window_end")["step_end_seconds"]
    if not ends and run.event("window_end")["steps"]:
        raise Absent("the framework's own loop doesn't tell when its steps end")
    if not ends:
        raise Absent("the window has no steps")
    if len(ends) < FEWEST_STEPS and run.job["max_seconds"] is None:
        raise Absent(f"fewer than {FEWEST_STEPS} steps don't show whether they were queued")
    if run.window_seconds - ends[-1] > QUEUED_STEPS * run.window_seconds / len(ends):
        raise Absent("the framework queues its steps and returns before they are done")
    return ends
