"""The proof in float32, in its own process, before the proof in a narrow precision.

The limits of float32 show errors that the rounding of a narrow type hides. The process leaves
nothing behind: no memory on the device, no setting of the framework.

usage: python -I in_float32.py < job.json
"""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

# Last in the path, so that this folder shadows none of the environment's packages.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from worker import events, frameworks
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral import update_rule
from worker.precisions import NO_TF32
from worker.proof import start
from worker.proof.check import check
from worker.proof.observe import Subject


def prove(job: Job) -> None:
    """Prove the job's adapter in float32 in another process; if it fails, exit with its status.

    On several nodes the first one alone is proven, with its own part of a batch. The other process
    itself reports the reason of its failure.
    """
    content = json.dumps(job.on_one_node()._asdict())
    variables = dict(os.environ, **{NO_TF32: "0"})
    command = [sys.executable, "-I", str(Path(__file__).resolve())]
    ended = subprocess.run(command, input=content.encode(), env=variables)
    if ended.returncode:
        sys.exit(ended.returncode if ended.returncode > 0 else 128 - ended.returncode)


def check_in_float32(job: Job) -> None:
    """Check parity for the job in float32.

    Raises events.ParityFailed, and events.Unsupported as a run in float32 does.
    """
    job = job._replace(precision="float32")
    network, initial = start.of_job(job)
    adapter = frameworks.find(job)(job)
    adapter.build(network, update_rule.of_job(job).for_proof())
    adapter.load(initial)
    batch = adapter.batch(*fixed_batch.whole(job))
    stage = importlib.import_module("worker.stages." + job.stage)
    try:
        check(Subject(adapter, network, initial, batch, job), stage.OBSERVE)
    except events.ParityFailed as error:
        raise events.ParityFailed(f"in float32 already: {error}") from error


if __name__ == "__main__":
    with events.reported_errors():
        check_in_float32(Job(**json.load(sys.stdin)))
