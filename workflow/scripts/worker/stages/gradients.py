"""Gradients: forward and backward pass of one batch without an update, timed as in stage infer.

Dropout and batch statistics are as in training.
"""

from worker.adapter import Adapter
from worker.arrays import Batch, Weights
from worker.job import Job
from worker.networks.neutral import update_rule
from worker.networks.neutral.builder import Network
from worker.proof import observe
from worker.timing import calls

MAIN_METRIC = "gradient_speed"
UPDATES_WEIGHTS = False
INPUT_MODES = ("synthetic",)

OBSERVE = observe.gradients


def run(adapter: Adapter, job: Job, network: Network, initial: Weights, batch: Batch) -> None:
    """Compute the gradients of the fixed `batch` repeatedly, at the initial weights."""
    if network.has_dropout:
        adapter.build(network, update_rule.of_job(job))
    adapter.load(initial)

    def waited() -> None:
        adapter.gradients(batch)
        adapter.synchronise()

    waited()  # compiles anew where there is dropout, which parity left out
    calls.measure(adapter, job, queued=lambda: adapter.gradients(batch), waited=waited)
