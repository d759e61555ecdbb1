"""Training: warm-up until steps are steady, the timed window, and the evaluation."""

import time
from typing import Any, Iterator, List

import numpy

from worker import calls, events, steady
from worker.adapter import Adapter, OwnProgram
from worker.arrays import Batch, Weights
from worker.input import modes
from worker.job import Job
from worker.networks.neutral import weights
from worker.networks.neutral.builder import Network
from worker.proof import observe

MAIN_METRIC = "training_speed"
UPDATES_WEIGHTS = True
INPUT_MODES = ("dataset", "cached", "synthetic")

OBSERVE = observe.training


def run(adapter: Adapter, job: Job, network: Network, initial: Weights, batch: Batch) -> None:
    """Train from the initial weights as the job says; `batch` is the fixed one, in native form."""
    if network.has_dropout:
        restore_dropout(adapter, network, initial, batch)
    if isinstance(adapter, OwnProgram):
        adapter.load(initial)
        adapter.train(job.warmup_steps, job.steps)
    else:
        if job.warmup_limit_seconds:
            settle(adapter, batch, job)
        adapter.load(initial)
        train(adapter, job)
    if job.keep_weights:
        weights.save(adapter.weights())
    if job.evaluate:
        evaluate(adapter)
    if job.latency_steps and not isinstance(adapter, OwnProgram):
        step_latency(adapter, job, batch)


def restore_dropout(adapter: Adapter, network: Network, initial: Weights, batch: Batch) -> None:
    """Build the network with the dropout that parity left out, and compile what it needs."""
    adapter.build(network)
    adapter.load(initial)
    adapter.train_step(batch)
    adapter.predict(batch)
    adapter.synchronise()


def settle(adapter: Adapter, batch: Batch, job: Job) -> None:
    """Train on the fixed batch until step times are steady; the caller resets the weights."""

    def step() -> None:
        adapter.train_step(batch)

    bounds = (job.warmup_seconds, job.warmup_limit_seconds)
    events.emit("settled", **steady.settle(step, adapter.synchronise, *bounds))


def train(adapter: Adapter, job: Job) -> None:
    """Warm-up and window, on batches of the job's input mode."""
    batches = modes.training_batches(adapter, job)
    warm_up(adapter, batches, job)
    window(adapter, batches, job)


def warm_up(adapter: Adapter, batches: Iterator[Batch], job: Job) -> None:
    """The steps before the window."""
    steps, start = 0, time.monotonic()
    while steps < job.warmup_steps and not is_over(adapter, job, start):
        adapter.train_step(next(batches))
        steps += 1
    adapter.synchronise()
    events.emit("warmup", steps=steps, seconds=time.monotonic() - start)


def is_over(adapter: Adapter, job: Job, start: float) -> bool:
    """Whether the job's limit of seconds has passed; with one, each step is waited for."""
    if job.max_seconds is None:
        return False
    adapter.synchronise()
    return time.monotonic() - start > job.max_seconds


def window(adapter: Adapter, batches: Iterator[Batch], job: Job) -> None:
    """The timed part: the device is synchronised at both edges and nothing is printed within.

    It goes on until the job's steps are done and its least seconds are over. The clock is looked at
    without synchronising, so steps that a framework has queued make it longer than that, never
    shorter.
    """
    losses: List[Any] = []
    step_ends: List[float] = []
    waited = 0.0
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


def evaluate(adapter: Adapter) -> None:
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


def step_latency(adapter: Adapter, job: Job, batch: Batch) -> None:
    """Further steps on the fixed batch, each of them waited for."""

    def waited() -> None:
        adapter.train_step(batch)
        adapter.synchronise()

    events.emit("latency", **calls.latency(waited, job.latency_steps, job.max_seconds))
