"""The runner of a job: build the network, prove it, and hand over to the stage.

usage: python -I run.py job.json

Runs on Python 3.6 to 3.13, so the worker's code does without: dataclasses, the walrus,
`X | None`, `list[int]`, `from __future__ import annotations`, `capture_output=`, positional-only
parameters, and `=` in f-strings.

Exit status: 0 done, 3 unsupported, 4 parity failed, 1 anything else; an `error` event says why.
"""

import faulthandler
import os
import platform
import sys
import time
from pathlib import Path

# Behind the environment's own packages, so that none of them is shadowed.
sys.path.append(str(Path(__file__).resolve().parents[1]))

from worker import events, frameworks, networks, stages
from worker.adapter import Adapter
from worker.arrays import Weights
from worker.input import fixed_batch
from worker.job import Job, read
from worker.networks.neutral import weights
from worker.networks.neutral.builder import TRAINABLE_ROLES, Network
from worker.proof.check import check
from worker.proof.observe import Subject

EXIT_STATUS = {"unsupported": 3, "parity": 4}


def run(job: Job) -> None:
    """One run, from importing the framework to the end of its stage, reported by events."""
    network = networks.build(job.network, job.image_shape, job.classes)
    initial = weights.initial(network, job.seed)
    without_dropout = network.without_dropout()
    adapter = build(job, without_dropout, initial)
    batch = adapter.batch(*fixed_batch.whole(job))
    stage = stages.find(job.stage)
    check(Subject(adapter, without_dropout, initial, batch, job), stage.OBSERVE)
    stage.run(adapter, job, network, initial, batch)
    events.emit("end")


def build(job: Job, network: Network, initial: Weights) -> Adapter:
    """Import the framework, build the network in it and load the initial weights."""
    start = time.monotonic()
    adapter_class = frameworks.find(job)
    imported = time.monotonic()
    adapter = adapter_class(job)
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


def check_size(adapter: Adapter, network: Network) -> None:
    """Count what the framework holds; raises ParityFailed where that isn't the network."""
    held = adapter.weights()
    trainable = [w.name for w in network.weights if w.role in TRAINABLE_ROLES]
    count = sum(held[name].size for name in trainable)
    size = sum(array.nbytes for array in held.values())
    types = sorted({str(array.dtype) for array in held.values()})
    events.emit("network", parameter_count=count, model_bytes=size, weight_types=types)
    if count != network.parameter_count:
        raise events.ParityFailed(f"{count} parameters instead of {network.parameter_count}")


def kind_of(error: Exception) -> str:
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


def main(path: str) -> None:
    """Run one job; an error becomes an event before the interpreter prints its traceback."""
    faulthandler.enable()
    events.emit("start", python=platform.python_version(), pid=os.getpid())
    job = read(path)
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
