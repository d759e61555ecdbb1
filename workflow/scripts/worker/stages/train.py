"""Training: settling, warm-up, the timed window, and the evaluations."""

import itertools
import time
from typing import Any, Callable, Iterator, List

from worker import events
from worker.accuracy import evaluation, learning
from worker.adapter import Adapter
from worker.arrays import Batch, Weights
from worker.input import modes
from worker.job import Job
from worker.networks.neutral import update_rule, weights
from worker.networks.neutral.builder import Network
from worker.own_loops import timing as own_loop_timing
from worker.own_loops.loop import OwnTraining
from worker.proof import observe
from worker.timing import calls, steady, windows

MAIN_METRIC = "training_speed"
UPDATES_WEIGHTS = True
INPUT_MODES = ("dataset", "cached", "synthetic")
OBSERVE = observe.training

SETTLING_FACTOR = 1e-6
"""The learning rate of settling, relative to the job's."""

Step = Callable[[Batch], Any]
"""A training step on a batch, which returns its loss."""


def run(adapter: Adapter, job: Job, network: Network, initial: Weights, batch: Batch) -> None:
    """Train from the initial weights as the job says; `batch` is the native fixed batch."""
    if network.has_dropout or not update_rule.of_job(job).is_built_as(
        update_rule.of_job(job).for_proof()
    ):
        build(adapter, job, network, initial, batch)
    adapter.load(initial)
    if isinstance(adapter, OwnTraining):
        own_loop_timing.train(adapter, job)
    else:
        if job.warmup_limit_seconds:
            settle(adapter, batch, job)
            adapter.load(initial)
        train(adapter, job)
    averaged = adapter.averaged_weights()
    if averaged is not None:
        adapter.load(averaged)
    if job.keep_weights:
        weights.save(adapter.weights())
    if job.evaluate:
        evaluation.evaluate(adapter, job)
    if job.latency_steps and not isinstance(adapter, OwnTraining):
        step_latency(adapter, job, batch)
    if job.evaluate_every and not isinstance(adapter, OwnTraining):
        adapter.load(initial)  # to train anew: the timed window has no evaluations in it
        learning.measure(
            adapter, job, scheduled(adapter, job), modes.training_batches(adapter, job)
        )


def build(adapter: Adapter, job: Job, network: Network, initial: Weights, batch: Batch) -> None:
    """Build the network with the dropout and Adam's epsilon that the proof left out; compile it."""
    adapter.build(network, update_rule.of_job(job))
    adapter.load(initial)
    adapter.train_step(batch)
    adapter.predict(batch)
    adapter.synchronise()


def settle(adapter: Adapter, batch: Batch, job: Job) -> None:
    """Train on the fixed batch until step times are steady; the caller resets the weights.

    The learning rate is so small that weights hardly move: at the job's rate, random images may
    make weights NaN in a few steps.
    """

    def step() -> None:
        adapter.set_rate(SETTLING_FACTOR * job.learning_rate)
        adapter.train_step(batch)

    bounds = (job.warmup_seconds, job.warmup_limit_seconds)
    events.emit("settled", **steady.settle(step, adapter.synchronise, *bounds))


def train(adapter: Adapter, job: Job) -> None:
    """Do the warm-up and the timed window, on batches of the job's input mode."""
    batches = modes.training_batches(adapter, job)
    if job.shuffle:  # it reads all images before the first batch
        batches = itertools.chain([next(batches)], batches)
    step = scheduled(adapter, job)
    warm_up(adapter, step, batches, job)
    window(adapter, step, batches, job)


def scheduled(adapter: Adapter, job: Job) -> Step:
    """The adapter's training step, with the schedule's learning rate set before each step."""
    if not job.schedule:
        return adapter.train_step
    rates = map(update_rule.of_job(job).rate, itertools.count())

    def step(batch: Batch) -> Any:
        adapter.set_rate(next(rates))
        return adapter.train_step(batch)

    return step


def warm_up(adapter: Adapter, step: Step, batches: Iterator[Batch], job: Job) -> None:
    """Do the job's warm-up steps, before the timed window."""
    steps, start = 0, time.monotonic()
    while steps < job.warmup_steps and not is_over(adapter, job, start):
        step(next(batches))
        steps += 1
    adapter.synchronise()
    events.emit("warmup", steps=steps, seconds=time.monotonic() - start)


def is_over(adapter: Adapter, job: Job, start: float) -> bool:
    """Whether the job's limit of seconds has passed; waits for the step if there is a limit."""
    if job.max_seconds is None:
        return False
    adapter.synchronise()
    return time.monotonic() - start > job.max_seconds


def window(adapter: Adapter, step: Step, batches: Iterator[Batch], job: Job) -> None:
    """Time the training steps; the device is synchronised at both ends, nothing is printed between.

    The window ends when the job's steps are done and its minimum of seconds has passed, for which
    more steps are done by the speed of those before them.
    """
    losses: List[Any] = []
    step_ends: List[float] = []
    waited, steps = 0.0, job.steps
    adapter.synchronise()
    start = time.monotonic()
    while len(losses) < steps:
        requested = time.monotonic()
        batch = next(batches)
        waited += time.monotonic() - requested
        losses.append(step(batch))
        ends = is_over(adapter, job, start)
        step_ends.append(time.monotonic() - start)
        if ends:
            break
        if len(losses) == steps:
            adapter.synchronise()
            steps += windows.further(steps, time.monotonic() - start, job.window_seconds)
    windows.report(job, start, time.monotonic(), step_ends, losses, waited)


def step_latency(adapter: Adapter, job: Job, batch: Batch) -> None:
    """Time further training steps on the fixed batch, one by one, and wait for each.

    The learning rate is that of settle(). Two steps before are untimed: after an evaluation the
    first changes modes and statistics, and after a change of the rate it scales momenta, which the
    rate that is set before the second one ends.
    """

    def waited() -> None:
        adapter.train_step(batch)
        adapter.synchronise()

    for _ in range(2):
        adapter.set_rate(SETTLING_FACTOR * job.learning_rate)
        waited()
    events.emit("latency", **calls.latency(waited, job.latency_steps, job.max_seconds))
