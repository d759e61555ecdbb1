"""Hold input gradients of several jobs of one adapter against their references, in one process.

usage: python -I probe_input_gradients.py SCRIPTS JOBS

Prints the events of all jobs, one after the other, also where one fails. So does one in which the
first three images have other gradients where they alone are a batch.
"""

import json
import sys
from pathlib import Path

import numpy

scripts, jobs_path = sys.argv[1:]
sys.path.append(scripts)
from worker import events, frameworks  # noqa: E402
from worker.input import fixed_batch  # noqa: E402
from worker.job import Job  # noqa: E402
from worker.networks.neutral import update_rule  # noqa: E402
from worker.proof import observe, start  # noqa: E402
from worker.proof.check import check  # noqa: E402
from worker.proof.observe import Subject  # noqa: E402

ROUNDING = 5e-6


def prove(job):
    """Build an adapter as a run does, and check its input gradient."""
    network, initial = start.of_job(job)
    adapter = frameworks.find(job)(job)
    events.emit("environment", **adapter.describe())
    adapter.build(network, update_rule.of_job(job).for_proof())
    adapter.load(initial)
    images, labels = fixed_batch.whole(job)
    batch = adapter.batch(images, labels)
    check(Subject(adapter, network, initial, batch, job), observe.attack)
    cotangents = numpy.eye(job.classes, dtype=numpy.float32)[labels]
    whole = adapter.input_gradient(batch, cotangents)
    part = adapter.input_gradient(adapter.batch(images[:3], labels[:3]), cotangents[:3])
    assert part.shape == images[:3].shape
    assert part.dtype == numpy.float32
    error = float(abs(part - whole[:3]).max() / abs(whole).max())
    if not error < ROUNDING:
        raise events.ParityFailed(f"the first three images alone are off by {error:.1e}")


for each in json.loads(Path(jobs_path).read_text(encoding="utf-8")):
    try:
        prove(Job(**each))
    except (events.ParityFailed, events.Unsupported) as error:
        events.emit("error", kind=events.kind_of(error), message=str(error))
