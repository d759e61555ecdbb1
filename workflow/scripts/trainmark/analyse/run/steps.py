"""When steps ended within the window, and the distribution of their times."""

from collections.abc import Iterator

import numpy as np

from trainmark.analyse.run.recording import Absent, Run
from trainmark.study import stages

MOST_SPANS = 100
MOST_LOSSES = 50
QUEUED_STEPS = 2  # so much of the window may be left when the last step returns
FEWEST_STEPS = 8  # of fewer, two are so much that queued steps pass for done ones


def step_milliseconds(run: Run, percentile: float) -> float:
    """Return a percentile of the step times, interpolated linearly between the nearest steps."""
    return float(np.percentile(step_seconds(run), percentile) * 1000)


def step_seconds(run: Run) -> np.ndarray:
    """The time of each step of the window, float64 (steps,); raises Absent as step_ends does."""
    return np.diff(step_ends(run), prepend=0.0)


def spans(run: Run) -> Iterator[tuple[float, float]]:
    """The window in at most MOST_SPANS spans: the end of each, and its median step time in ms."""
    ends, seconds = np.array(step_ends(run)), step_seconds(run)
    for span in np.array_split(np.arange(len(ends)), min(MOST_SPANS, len(ends))):
        yield float(ends[span[-1]]), float(1000 * np.median(seconds[span]))


def losses(run: Run) -> Iterator[tuple[int, float, float]]:
    """The window in at most MOST_LOSSES spans: steps and seconds at the end of each, its mean loss.

    Both count from the first warm-up step on; seconds are as if all steps of the window had taken
    the same time, which is known of every framework. Raises Absent where nothing was trained.
    """
    found = np.array(run.event("window_end")["losses"], dtype=float)
    if not len(found):
        raise Absent(f"stage {run.job['stage']} trains nothing, so it has no losses")
    before, seconds = run.event("warmup"), run.window_seconds / len(found)
    for span in np.array_split(np.arange(len(found)), min(MOST_LOSSES, len(found))):
        done = int(span[-1]) + 1
        yield (
            int(before["steps"]) + done,
            float(before["seconds"]) + done * seconds,
            float(found[span].mean()),
        )


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
