"""Attack: input gradients of one batch, timed; then attacks on the first images of the test split.

An input gradient is the vector-Jacobian product of the logits by the images. All attacks by
gradients compute it, so its speed is the framework's share of an attack, and is ranked. The success
rate of attacks is not ranked: with the same weights, it should be the same in every framework.

The network has the trained weights of another run, with batch norms folded, as in deployment.
"""

import numpy

from worker.adapter import Adapter
from worker.arrays import Batch, Weights
from worker.attacks.harness import robustness
from worker.attacks.harness.process import Attacker
from worker.attacks.harness.target import Target
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.proof import observe, start
from worker.timing import calls

MAIN_METRIC = "input_gradient_speed"
UPDATES_WEIGHTS = False
INPUT_MODES = ()
TRAINED_INPUT_MODES = ("dataset",)

OBSERVE = observe.attack


def run(adapter: Adapter, job: Job, network: Network, initial: Weights, batch: Batch) -> None:
    """Time input gradients of the fixed `batch`, then measure attacks on the test split."""
    assert job.trained is not None, "the plan gives each run of this stage trained weights"
    adapter.load(start.trained(job))
    labels = fixed_batch.whole(job)[1]
    cotangents = numpy.eye(job.classes, dtype=numpy.float32)[labels]

    def waited() -> None:
        adapter.input_gradient(batch, cotangents)

    calls.warm_up(adapter, job, waited)
    # How many the limit of seconds allows: gradients are waited for, so the window has no limit.
    steps = len(calls.latency(waited, job.steps, job.max_seconds)["call_seconds"])
    calls.together(waited, adapter.synchronise, steps, job)
    target = Target(adapter, job)
    with Attacker(job, target.answers()) as attacker:
        robustness.measure(attacker, target, job)
