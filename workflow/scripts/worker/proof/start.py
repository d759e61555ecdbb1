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
    """Without dropout, from the usual weights; batch norms folded where the job asks for it."""
    network = networks.build(job.network, job.image_shape, job.classes).without_dropout()
    initial = weights.usual(network, job.seed)
    return folded(network, initial) if job.options.get(FOLD) else (network, initial)
