"""The network and the weights that a run is proven with."""

from typing import Tuple

from worker import networks
from worker.arrays import Weights
from worker.events import Unsupported
from worker.job import Job
from worker.networks.neutral import weights
from worker.networks.neutral.builder import Network
from worker.networks.neutral.folding import folded
from worker.support import FOLD

ATTACK = "attack"
"""The stage that differentiates by the images."""


class OtherWeights(Exception):
    """A file of trained weights has the weights of another network."""


def of_job(job: Job) -> Tuple[Network, Weights]:
    """The network of the proof, and its usual initial weights."""
    network = _network(job)
    return as_built(job, weights.usual(network, job.seed))


def as_built(job: Job, values: Weights) -> Tuple[Network, Weights]:
    """The network without dropout, and its weights; batch norms folded where a job requests it.

    Stage attack always folds batch norms: some frameworks can differentiate in training mode only,
    and without batch norms no layer differs between training and evaluation. Raises
    events.Unsupported where a batch norm can't be folded.
    """
    network = _network(job)
    if job.stage == ATTACK:
        network, values = folded(network, values)
        _check_attacked(job, network)
        return network, values
    return folded(network, values) if job.options.get(FOLD) else (network, values)


def trained(job: Job) -> Weights:
    """The weights of the run that trained them, folded as in as_built().

    Raises OtherWeights where the file has the weights of another network, or is damaged.
    """
    assert job.trained is not None, "a job without trained weights starts from initial ones"
    values = weights.load(job.trained)
    expected = {weight.name: weight.shape for weight in _network(job).weights}
    shapes = {name: array.shape for name, array in values.items()}
    differing = sorted(dict(expected.items() ^ shapes.items()))
    if differing:
        raise OtherWeights(
            f"{job.trained} has other weights than {job.network}: {differing[0]}; delete its "
            "folder, and give the same command again"
        )
    return as_built(job, values)[1]


def _network(job: Job) -> Network:
    return networks.build(job.network, job.image_shape, job.classes).without_dropout()


def _check_attacked(job: Job, network: Network) -> None:
    """Raise events.Unsupported where the gradient of the logits by the images can't be proven."""
    if job.precision != "float32":
        raise Unsupported(f"attacks are computed in float32, precision is {job.precision}")
    if networks.reads_text(job.network):
        raise Unsupported(f"{job.network} reads bytes, by which its logits have no gradient")
    norms = [layer.name for layer in network.layers if layer.kind == "batch_norm"]
    if norms:
        raise Unsupported(
            "attacks need batch norms that follow a convolution, to be folded into it; in "
            f"{job.network}, {norms[0]} follows none"
        )
