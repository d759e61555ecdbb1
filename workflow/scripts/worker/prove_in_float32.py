"""Prove the adapter of a job in float32: the first half of the proof of a narrow precision.

usage: python -I prove_in_float32.py < job.json
"""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from worker import events, frameworks, stages
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral import update_rule
from worker.proof import start
from worker.proof.check import check
from worker.proof.observe import Subject
from worker.run import told


def prove(job: Job) -> None:
    """Check parity as a run of the job in float32 does; raises what that raises."""
    job = job._replace(precision="float32")
    network, initial = start.of_job(job)
    adapter = frameworks.find(job)(job)
    adapter.build(network, update_rule.of_job(job).for_proof())
    adapter.load(initial)
    batch = adapter.batch(*fixed_batch.whole(job))
    try:
        check(Subject(adapter, network, initial, batch, job), stages.find(job.stage).OBSERVE)
    except events.ParityFailed as error:
        raise events.ParityFailed(f"in float32 already: {error}") from error


if __name__ == "__main__":
    with told():
        prove(Job(**json.load(sys.stdin)))
