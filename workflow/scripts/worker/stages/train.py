"""Training: warm-up until steps are steady, the timed window, and the evaluation."""

import time

import numpy

from worker import events, steady
from worker.input import modes

MAIN_METRIC = "training_speed"


def run(adapter, job, initial, batch):
    """Train from the initial weights, as the job has it; `batch` is the fixed one, the adapter's.

    An adapter whose framework's own program trains has a method `train`, which stands in for the
    loop over warm-up and window.
    """
    if hasattr(adapter, "train"):
        adapter.load(initial)
        adapter.train(job.warmup_steps, job.steps)
    else:
        if job.warmup_limit_seconds:
            settle(adapter, batch, job)
        adapter.load(initial)
        train(adapter, job)
    if job.evaluate:
        evaluate(adapter)


def settle(adapter, batch, job):
    """Train on the fixed batch until step times are steady; what it learns is thrown away."""

    def step():
        adapter.train_step(batch)

    bounds = (job.warmup_seconds, job.warmup_limit_seconds)
    events.emit("settled", **steady.settle(step, adapter.synchronise, *bounds))


def train(adapter, job):
    """Warm-up and window, on batches of the job's input mode."""
    batches = modes.training_batches(adapter, job)
    warm_up(adapter, batches, job)
    window(adapter, batches, job)


def warm_up(adapter, batches, job):
    """The steps before the window."""
    steps, start = 0, time.monotonic()
    while steps < job.warmup_steps and not is_over(adapter, job, start):
        adapter.train_step(next(batches))
        steps += 1
    adapter.synchronise()
    events.emit("warmup", steps=steps, seconds=time.monotonic() - start)


def is_over(adapter, job, start):
    """Whether the job's limit of seconds has passed; with one, each step is waited for."""
    if job.max_seconds is None:
        return False
    adapter.synchronise()
    return time.monotonic() - start > job.max_seconds


def window(adapter, batches, job):
    """The timed part: the device is synchronised at both edges and nothing is printed within.

    It goes on until the job's steps are done and its least seconds are over. The clock is looked at
    without synchronising, so steps that a framework has queued make it longer than that, never
    shorter.
    """
    losses, step_ends, waited = [], [], 0.0
    adapter.synchronise()
    start = time.monotonic()
    while len(losses) < job.steps or step_ends[-1] < job.window_seconds:
        asked = time.monotonic()
        batch = next(batches)
        waited += time.monotonic() - asked
        losses.append(adapter.train_step(batch))
        ends = is_over(adapter, job, start)
        step_ends.append(time.monotonic() - start)
        if ends:
            break
    adapter.synchronise()
    end = time.monotonic()
    events.emit("window_start", time_seconds=start)
    events.emit(
        "window_end",
        time_seconds=end,
        steps=len(losses),
        images=len(losses) * job.batch_size,
        wait_seconds=waited,
        step_end_seconds=step_ends,
        losses=[float(loss) for loss in losses],
    )


def evaluate(adapter):
    """Top-1 and top-5 accuracy in percent over the whole test split."""
    start = time.monotonic()
    count = top1 = top5 = 0
    for batch in adapter.batches("test"):
        logits, labels = adapter.predict(batch)
        # not below rather than above: a tie or a NaN never counts as recognised
        own = logits[numpy.arange(len(labels)), labels][:, None]
        ranks = (~(logits < own)).sum(axis=1) - 1
        top1 += int((ranks < 1).sum())
        top5 += int((ranks < 5).sum())
        count += len(labels)
    events.emit(
        "evaluation",
        count=count,
        top1=100.0 * top1 / count,
        top5=100.0 * top5 / count,
        seconds=time.monotonic() - start,
    )
