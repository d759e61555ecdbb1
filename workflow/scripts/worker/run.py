"""The runner of a job: builds the network, proves it, and hands over to the stage.

usage: python -I run.py job.json

Runs on Python 3.6 to 3.13, so the worker's code does without: dataclasses, the walrus,
`X | None`, `list[int]`, `from __future__ import annotations`, `capture_output=`, positional-only
parameters, and `=` in f-strings.

Exit status: 0 done, 3 unsupported, 4 parity failed, others failed; an `error` event says why.
"""

import faulthandler
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any, Dict

# Last in the path, so that this folder shadows none of the environment's packages.
sys.path.append(str(Path(__file__).resolve().parents[1]))

from worker import events, frameworks, networks, stages
from worker.adapter import Adapter
from worker.arrays import Weights
from worker.input import fixed_batch
from worker.job import Job, read
from worker.libraries import processor
from worker.networks.neutral import update_rule, weights
from worker.networks.neutral.builder import Network
from worker.precisions import NO_TF32
from worker.proof import in_float32, start
from worker.proof.check import check
from worker.proof.observe import Subject
from worker.proof.tolerances import IN_FLOAT32_FIRST


def run(job: Job) -> None:
    """Do one run, from importing the framework to the end of its stage; report it by events."""
    network = networks.build(job.network, job.image_shape, job.classes)
    proven, initial = start.of_job(job)
    adapter = build(job, proven, initial)
    size = count(adapter, proven)
    batch = adapter.batch(*fixed_batch.whole(job))
    stage = stages.find(job.stage)
    check(Subject(adapter, proven, initial, batch, job), stage.OBSERVE)
    events.emit("network", compute_types=adapter.compute_types(batch), **size)
    if any(weight.declared for weight in network.weights):
        initial = weights.initial(network, job.seed)
    stage.run(adapter, job, network, initial, batch)
    events.emit("end")


def build(job: Job, network: Network, initial: Weights) -> Adapter:
    """Import the framework, build the network in it and load the initial weights."""
    if job.precision == "tf32":
        os.environ.pop(NO_TF32, None)
    variables = processor.set_variables(job)
    import_start = time.monotonic()
    adapter_class = frameworks.find(job)
    import_end = time.monotonic()
    adapter = adapter_class(job)
    description = adapter.describe()
    events.emit("environment", **dict(description, flags={**description["flags"], **variables}))
    if job.reference and job.precision in IN_FLOAT32_FIRST:
        in_float32.prove(job)
    build_start = time.monotonic()
    adapter.build(network, update_rule.of_job(job).for_proof())
    adapter.load(initial)
    adapter.synchronise()
    events.emit(
        "built",
        import_seconds=import_end - import_start,
        build_seconds=time.monotonic() - build_start,
    )
    return adapter


def count(adapter: Adapter, network: Network) -> Dict[str, Any]:
    """Count the framework's parameters and bytes.

    Raises events.ParityFailed if the network has another number of parameters.
    """
    arrays = adapter.weights()
    trainable = [w.name for w in network.trainable]
    parameters = sum(arrays[name].size for name in trainable)
    if parameters != network.parameter_count:
        raise events.ParityFailed(f"{parameters} parameters instead of {network.parameter_count}")
    bytes_by_type = adapter.weight_bytes(arrays)
    return {
        "parameter_count": parameters,
        "model_bytes": sum(bytes_by_type.values()),
        "weight_types": sorted(bytes_by_type),
    }


def main(path: str) -> None:
    """Run the job that the file `path` describes; its errors become events."""
    faulthandler.enable()
    events.emit("start", python=platform.python_version(), pid=os.getpid())
    with events.reported_errors():
        run(read(path))


if __name__ == "__main__":
    main(sys.argv[1])
