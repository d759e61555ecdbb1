"""The forms of a language model that read a prompt, or one token, and predict the next one."""

from typing import Tuple

from worker import networks
from worker.job import Job
from worker.networks.neutral.builder import Layer, Network

LAST = "last_token"


def of_job(job: Job) -> Tuple[Network, Network]:
    """The networks that read a job's prompts, and one token; their logits are (vocabulary,)."""
    prompt_tokens = job.image_shape[-1] - job.steps
    whole = (networks.build(job.network, (1, 1, n), job.classes) for n in (prompt_tokens, 1))
    prompt, token = map(of_last_token, whole)
    return prompt, token


def of_last_token(network: Network) -> Network:
    """A language model whose last layer reads the last token alone, instead of all."""
    *layers, end = network.layers
    (source,) = (layer for layer in layers if layer.name in end.inputs)
    last = Layer(LAST, LAST, (source.name,), {}, source.shape[1:], ())
    shortened = Network(network.input.shape, network.classes)
    shortened.layers = [*layers, last, end._replace(inputs=(LAST,), shape=end.shape[1:])]
    return shortened
