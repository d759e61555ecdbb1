"""Compute the float64 reference of a job's parity check with the numpy adapter.

usage: python -I reference.py job.json reference.npz

The job's batch is represented by its distinct images alone; see parity.distinct_images.
"""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy

from worker import devices, networks, parity, weights
from worker.frameworks.numpy import Adapter


def main(job_path, reference_path):
    """Store the observation of a job's first batch."""
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    numpy.savez(reference_path, **observe(job))


def observe(job, draw=0):
    """What the numpy adapter gives in float64 on one device's part of a batch; see parity."""
    job = dict(job, device="cpu", batch_size=devices.batch_size(job))
    network = networks.build(job["network"], job["image_shape"], job["classes"]).without_dropout()
    initial = weights.initial(network, job["seed"])
    adapter = Adapter(dict(job, precision="float64", options={}))
    adapter.build(network)
    adapter.load(initial)
    batch = adapter.batch(*parity.fixed_batch(job, draw))
    return parity.observe(adapter, network, initial, batch, job, adapter.train_step)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
