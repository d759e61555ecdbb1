"""An adapter's first steps compared with a reference, without a process or files."""

from typing import Any

from worker.adapter import Adapter
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral import update_rule, weights
from worker.networks.neutral.builder import Network
from worker.proof.check import judge
from worker.proof.observe import Observation, Observe, Subject, training
from worker.proof.reference import of_network


def reference_of(
    network: Network, job: Job, observe: Observe = training, draw: int = 0
) -> Observation:
    """The reference of a network from the weights that parity is proven with."""
    return of_network(network, weights.usual(network, job.seed), job, observe, draw)


def judged(
    reference: Observation,
    adapter: Adapter,
    network: Network,
    job: Job,
    draw: int = 0,
    observe: Observe = training,
) -> dict[str, Any]:
    """What the `parity` event has of an adapter; the job is what it should do."""
    initial = weights.usual(network, job.seed)
    adapter.build(network, update_rule.of_job(adapter.job).for_proof())
    adapter.load(initial)
    batch = adapter.batch(*fixed_batch.whole(job, draw))
    subject = Subject(adapter, network, initial, batch, job)
    return judge(reference, observe(subject, lambda call: call()), subject)


def shares(result: dict[str, Any]) -> dict[str, float]:
    """How much of its limit each quantity's error takes."""
    return {name: result[name] / limit for name, limit in result["limits"].items()}
