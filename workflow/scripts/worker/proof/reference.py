"""The float64 reference of a job's parity check, computed by the numpy adapter.

usage: python -I reference.py job.json reference.npz

Only the distinct images of the job's batch are computed; see worker.input.fixed_batch.
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Any, Dict

sys.path.append(str(Path(__file__).resolve().parents[2]))

import numpy

from worker import networks
from worker.arrays import Weights
from worker.frameworks.numpy.adapter import Adapter
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral import update_rule, weights
from worker.networks.neutral.builder import Network
from worker.proof import rounded, tolerances
from worker.proof.compare import compare
from worker.proof.observe import Observation, Observe, Subject
from worker.proof.tolerances import NARROW


def main(job_path: str, reference_path: str) -> None:
    """Compute and store the reference; the job's file has only settings that affect it."""
    settings = json.loads(Path(job_path).read_text(encoding="utf-8"))
    job = Job(**dict(dict.fromkeys(Job._fields), **settings))
    stage = importlib.import_module("worker.stages." + job.stage)
    arrays: Dict[str, Any] = compute(job, stage.OBSERVE)
    numpy.savez(reference_path, **arrays)


def compute(job: Job, observe: Observe, draw: int = 0) -> Observation:
    """The observation in float64 of one device's part of a batch, and the limits for each quantity.

    See worker.proof.observe and worker.proof.tolerances.
    """
    network = networks.build(job.network, job.image_shape, job.classes)
    without_dropout = network.without_dropout()
    initial = weights.usual(without_dropout, job.seed)
    return of_network(without_dropout, initial, job, observe, draw)


def of_network(
    network: Network, initial: Weights, job: Job, observe: Observe, draw: int = 0
) -> Observation:
    """The observation and limits of a built network without dropout, from these weights."""
    job = job._replace(device="cpu", batch_size=job.device_batch_size, options={})

    def subject(adapter: Adapter) -> Subject:
        adapter.build(network, update_rule.of_job(job).for_proof())
        adapter.load(initial)
        batch = adapter.batch(*fixed_batch.distinct(job, draw))
        return Subject(adapter, network, initial, batch, job)

    exact = subject(Adapter(job._replace(precision="float64")))
    reference = observe(exact, lambda call: call())
    rounding = {"float32": Adapter(job._replace(precision="float32"))}
    if job.precision in NARROW:
        rounding[job.precision] = rounded.ADAPTERS[job.precision](job)
    limits = {}
    for precision, adapter in rounding.items():
        rounded_subject = subject(adapter)
        observed = observe(rounded_subject, lambda call: call())
        errors, _ = compare(reference, observed, rounded_subject)
        limits.update(tolerances.stored(precision, errors))
    return dict(reference, **limits)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
