"""Adapters that predict as the reference does and are wrong in their gradient by the images."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy
from mutants import ACTIVATIONS, Change, Mutant, Plain, mean_pooled, with_change

from worker.frameworks.numpy.adapter import Adapter
from worker.frameworks.numpy.layers import ByRole, Inputs, Passes
from worker.job import Job
from worker.networks.neutral.builder import Layer, Network


def of_input_gradients(network: Network, job: Job) -> Iterator[Mutant]:
    """All that apply to a network."""
    for title, (choose, change) in BACKWARD_CHANGES.items():
        if chosen := [layer.name for layer in network.layers[1:] if choose(layer)]:
            yield Mutant(title, with_change(chosen[:1], change))
    for title, adapter in WRONG_INPUT_GRADIENTS.items():
        yield Mutant(title, adapter)


def turned(plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """The gradient by the kernel turned around, as where it is correlated, not convolved."""
    y, _ = plain(layer, inputs, weights, training)
    kernel = weights["kernel"][:, :, ::-1, ::-1]
    return y, plain(layer, inputs, dict(weights, kernel=kernel), training)[1]


def regrouped(
    plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    """The gradient by the kernel read column by column, as where it is transposed in memory."""
    y, _ = plain(layer, inputs, weights, training)
    kernel = weights["kernel"]
    kernel = kernel.reshape(kernel.shape[::-1]).T
    return y, plain(layer, inputs, dict(weights, kernel=kernel), training)[1]


def handed_on(
    plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    y, _ = plain(layer, inputs, weights, training)
    return y, lambda gradient: ((gradient,), {})


def by_batch_statistics(
    plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    """The gradient of training, in which the statistics depend on the images."""
    return plain(layer, inputs, weights, training)[0], plain(layer, inputs, weights, True)[1]


def spread(plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """The gradient of a maximum given to all of its window."""
    y, _ = plain(layer, inputs, weights, training)
    return y, mean_pooled(plain, layer, inputs, weights, training)[1]


BACKWARD_CHANGES: dict[str, tuple[Callable[[Layer], bool], Change]] = {
    "first kernel turned": (
        lambda layer: layer.kind == "conv" and layer.settings["kernel"] > 1,
        turned,
    ),
    "first dense kernel regrouped": (lambda layer: layer.kind == "dense", regrouped),
    "first activation's gradient handed on": (lambda layer: layer.kind in ACTIVATIONS, handed_on),
    "first norm's gradient of training": (
        lambda layer: layer.kind == "batch_norm",
        by_batch_statistics,
    ),
    "first maximum's gradient spread": (lambda layer: layer.kind == "max_pool", spread),
}


class OfTheMean(Adapter):
    """As where the mean of a loss is differentiated."""

    def input_gradient(self, batch: Any, cotangents: numpy.ndarray) -> numpy.ndarray:
        return super().input_gradient(batch, cotangents) / len(cotangents)


class OfStoredPixels(Adapter):
    """By the pixels before they are normalised."""

    def input_gradient(self, batch: Any, cotangents: numpy.ndarray) -> numpy.ndarray:
        return super().input_gradient(batch, cotangents) / 64


class OfScores(Adapter):
    """Of the logarithms of softmax."""

    def input_gradient(self, batch: Any, cotangents: numpy.ndarray) -> numpy.ndarray:
        powers = numpy.exp(self.infer(batch))
        shares = powers / powers.sum(axis=1, keepdims=True)
        centred = cotangents - shares * cotangents.sum(axis=1, keepdims=True)
        return super().input_gradient(batch, centred)


class Transposed(Adapter):
    """Height and width exchanged."""

    def input_gradient(self, batch: Any, cotangents: numpy.ndarray) -> numpy.ndarray:
        return super().input_gradient(batch, cotangents).swapaxes(2, 3)


WRONG_INPUT_GRADIENTS: dict[str, type[Adapter]] = {
    "of the mean": OfTheMean,
    "of stored pixels": OfStoredPixels,
    "of scores": OfScores,
    "transposed": Transposed,
}
