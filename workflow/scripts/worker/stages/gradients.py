"""Gradients: forward and backward pass of one batch without an update, timed as in stage infer.

Dropout is active and batch norm uses the batch's statistics, as in training.
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

    waited()  # compiles the network with dropout; the parity check was without it
    calls.measure(adapter, job, queued=lambda: adapter.gradients(batch), waited=waited)
