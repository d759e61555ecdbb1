"""Prediction: the logits of one batch, call by call, and with as many calls in flight as fit.

Two numbers that are never mixed. Latency: a call ends when its logits lie on the host, and the next
one begins. Throughput: calls follow one another without waiting, and the device is waited for once,
at the end. The batch lies in memory, where the framework wants it.
"""

from worker.adapter import Adapter
from worker.arrays import Batch, Weights
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.proof import observe
from worker.timing import calls

MAIN_METRIC = "inference_speed"
UPDATES_WEIGHTS = False
INPUT_MODES = ("synthetic",)

OBSERVE = observe.prediction


def run(adapter: Adapter, job: Job, network: Network, initial: Weights, batch: Batch) -> None:
    """Predict `batch`, the fixed one, again and again; there is no dropout in prediction."""
    calls.measure(
        adapter,
        job,
        queued=lambda: adapter.infer(batch),
        waited=lambda: adapter.fetch(adapter.infer(batch)),
    )
