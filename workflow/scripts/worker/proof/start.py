"""The network and the weights that a run is proven with."""

from typing import Tuple

from worker import networks
from worker.arrays import Weights
from worker.job import Job
from worker.networks.neutral import weights
from worker.networks.neutral.builder import Network
from worker.networks.neutral.folding import folded
from worker.support import FOLD


def of_job(job: Job) -> Tuple[Network, Weights]:
    """The network as it is built for the proof, from the usual weights."""
    network = _network(job)
    return as_built(job, weights.usual(network, job.seed))


def as_built(job: Job, values: Weights) -> Tuple[Network, Weights]:
    """The network without dropout, and weights; batch norms folded where a job asks for it."""
    network = _network(job)
    return folded(network, values) if job.options.get(FOLD) else (network, values)


def _network(job: Job) -> Network:
    return networks.build(job.network, job.image_shape, job.classes).without_dropout()
