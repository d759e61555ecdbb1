"""The loop and the clock: one runner for every framework.

usage: python -I run.py job.json

Runs on Python 3.6 to 3.13, so the worker's code does without: dataclasses, the walrus,
`X | None`, `list[int]`, `from __future__ import annotations`, `capture_output=`, positional-only
parameters, and `=` in f-strings.

Exit status: 0 done, 3 unsupported, 4 parity failed, 1 anything else; an `error` event says why.
"""

import faulthandler
import importlib
import json
import os
import platform
import sys
import time
from pathlib import Path

# Behind the environment's own packages, so that none of them is shadowed.
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy

from worker import events, input, networks, parity, parity_check, steady, weights
from worker.network import TRAINABLE_ROLES

EXIT_STATUS = {"unsupported": 3, "parity": 4}


def run(job):
    """One run, from importing the framework to the accuracy; tells it all by events."""
    network = networks.build(job["network"], job["image_shape"], job["classes"])
    initial = weights.initial(network, job["seed"])
    without_dropout = network.without_dropout()
    adapter = build(job, without_dropout, initial)
    batch = adapter.batch(*parity.fill(parity.fixed_batch(job), job["batch_size"]))
    parity_check.check(adapter, without_dropout, initial, batch, job)
    if len(network.layers) > len(without_dropout.layers):
        restore_dropout(adapter, network, initial, batch)
    if hasattr(adapter, "train"):
        adapter.load(initial)
        adapter.train(job["warmup_steps"], job["steps"])
    else:
        if job["warmup_limit_seconds"]:
            settle(adapter, batch, job)
        adapter.load(initial)
        train(adapter, job)
    if job["evaluate"]:
        evaluate(adapter)
    events.emit("end")


def build(job, network, initial):
    """Import the framework, build the network in it and load the initial weights."""
    start = time.monotonic()
    module = importlib.import_module("worker.frameworks." + job["adapter"])
    imported = time.monotonic()
    adapter = module.Adapter(job)
    events.emit("environment", **adapter.describe())
    before = time.monotonic()
    adapter.build(network)
    adapter.load(initial)
    adapter.synchronise()
    events.emit(
        "built",
        import_seconds=imported - start,
        build_seconds=time.monotonic() - before,
    )
    check_size(adapter, network)
    return adapter


def restore_dropout(adapter, network, initial, batch):
    """Build the network with the dropout that parity left out, and compile what it needs."""
    adapter.build(network)
    adapter.load(initial)
    adapter.train_step(batch)
    adapter.predict(batch)
    adapter.synchronise()


def check_size(adapter, network):
    """Count what the framework holds; raises ParityFailed where that isn't the network."""
    held = adapter.weights()
    trainable = [w.name for w in network.weights if w.role in TRAINABLE_ROLES]
    count = sum(held[name].size for name in trainable)
    size = sum(array.nbytes for array in held.values())
    types = sorted({str(array.dtype) for array in held.values()})
    events.emit("network", parameter_count=count, model_bytes=size, weight_types=types)
    if count != network.parameter_count:
        raise events.ParityFailed(f"{count} parameters instead of {network.parameter_count}")


def settle(adapter, batch, job):
    """Train on the fixed batch until step times are steady; what it learns is thrown away."""

    def step():
        adapter.train_step(batch)

    bounds = (job["warmup_seconds"], job["warmup_limit_seconds"])
    events.emit("settled", **steady.settle(step, adapter.synchronise, *bounds))


def train(adapter, job):
    """Warm-up and window, on batches of the job's input mode."""
    batches = input.training_batches(adapter, job)
    warm_up(adapter, batches, job)
    window(adapter, batches, job)


def warm_up(adapter, batches, job):
    """The steps before the window."""
    steps, start = 0, time.monotonic()
    while steps < job["warmup_steps"] and not is_over(adapter, job, start):
        adapter.train_step(next(batches))
        steps += 1
    adapter.synchronise()
    events.emit("warmup", steps=steps, seconds=time.monotonic() - start)


def is_over(adapter, job, start):
    """Whether the job's limit of seconds has passed; with one, each step is waited for."""
    if job["max_seconds"] is None:
        return False
    adapter.synchronise()
    return time.monotonic() - start > job["max_seconds"]


def window(adapter, batches, job):
    """The timed part: the device is synchronised at both edges and nothing is printed within."""
    losses, step_ends, waited = [], [], 0.0
    adapter.synchronise()
    start = time.monotonic()
    for _ in range(job["steps"]):
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
        images=len(losses) * job["batch_size"],
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


def kind_of(error):
    """Sort an exception into the kinds of the `error` event."""
    if isinstance(error, events.Unsupported):
        return "unsupported"
    if isinstance(error, events.ParityFailed):
        return "parity"
    if isinstance(error, MemoryError):
        return "out_of_memory"
    if isinstance(error, ImportError):
        return "missing_library"
    return "failed"


def main(path):
    """Run one job; whatever ends it is told as an event before the interpreter shows its trace."""
    faulthandler.enable()
    events.emit("start", python=platform.python_version(), pid=os.getpid())
    job = json.loads(Path(path).read_text(encoding="utf-8"))
    try:
        run(job)
    except Exception as error:
        kind = kind_of(error)
        line = (str(error).strip().splitlines() or [""])[0]
        named = line if kind in EXIT_STATUS else f"{type(error).__name__}: {line}"
        events.emit("error", kind=kind, message=named)
        if kind not in EXIT_STATUS:
            raise
        sys.exit(EXIT_STATUS[kind])


if __name__ == "__main__":
    main(sys.argv[1])
