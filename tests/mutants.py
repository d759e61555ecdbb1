"""Wrong work of the kinds that frameworks and adapters do, as numpy adapters of float32.

Each is made for the networks that have what it changes: there is no batch norm's epsilon without a
batch norm.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

import numpy

from worker.arrays import LabelledImages, Weights
from worker.frameworks.numpy.adapter import Adapter
from worker.frameworks.numpy.layers import ByRole, Inputs, Passes, cross_entropy
from worker.frameworks.numpy.windows import fold, unfold
from worker.job import Job
from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.update_rule import UpdateRule


class Mutant(NamedTuple):
    """What is wrong, and the adapter's class."""

    title: str
    adapter: type[Adapter]


def mutants(network: Network, job: Job) -> Iterator[Mutant]:
    """The mutants that apply to a network."""
    for name, factor in FACTORS.items():
        if getattr(job, name):
            yield Mutant(f"{name} x {factor:.3g}", with_factor(name, factor))
    layers = network.layers[1:]
    for title, (choose, change) in CHANGES.items():
        if chosen := [layer.name for layer in layers if choose(layer)]:
            yield Mutant(title, with_change(chosen if "each" in title else chosen[:1], change))
    yield Mutant("gradient + 5 %", LargerGradient)
    yield Mutant("last bias missing", WithoutLastBias)
    if len(layers[-1].shape) == 2:
        yield Mutant("loss without the last token", WithoutLastToken)
        yield Mutant("labels one token on", OtherLabels)
    if any(layer.kind == "batch_norm" for layer in layers):
        yield Mutant("statistics 0.99", SlowStatistics)


FACTORS = {"learning_rate": 1.1, "momentum": 8 / 9, "weight_decay": 20}


def with_factor(name: str, factor: float) -> type[Adapter]:
    """An adapter with another value of the update rule."""

    class WithChange(Adapter):
        def build(self, network: Network, rule: UpdateRule) -> None:
            super().build(network, rule._replace(**{name: getattr(rule, name) * factor}))

    return WithChange


class LargerGradient(Adapter):
    """Gradients 5 % too large, as where a loss is divided by another number of images."""

    def _update(self, gradients: Weights) -> None:
        super()._update({name: 1.05 * gradient for name, gradient in gradients.items()})


class WithoutLastBias(Adapter):
    """A last bias that isn't trained. It starts from 0, so only its update tells."""

    def _update(self, gradients: Weights) -> None:
        last = [w.name for w in self.network.weights if w.role == "bias"][-1]
        super()._update(dict(gradients, **{last: numpy.zeros_like(gradients[last])}))


class WithoutLastToken(Adapter):
    """A loss of a language model that is the mean over all tokens but the last."""

    def gradients(self, batch: LabelledImages) -> float:
        images, labels = batch
        logits, backwards = self._forward(images, training=True)
        loss, gradient = cross_entropy(logits[:, :-1], labels[:, :-1])
        whole = numpy.pad(gradient, ((0, 0), (0, 1), (0, 0)))
        _, self.last_gradients = self._backward(whole, backwards)
        return loss


class OtherLabels(Adapter):
    """A loss of the tokens after the next ones."""

    def gradients(self, batch: LabelledImages) -> float:
        images, labels = batch
        return super().gradients((images, numpy.roll(labels, -1, axis=1)))


class SlowStatistics(Adapter):
    """Running statistics that move by 0.01 of the batch's instead of 0.1."""

    def _track(self, layer: Layer, x: numpy.ndarray) -> None:
        before = self.weights()
        super()._track(layer, x)
        for role in ("running_mean", "running_variance"):
            name = f"{layer.name}/{role}"
            self.values[name] = before[name] + (self.values[name] - before[name]) / 10


Plain = Callable[[Layer, Inputs, ByRole, bool], Passes]
Change = Callable[[Plain, Layer, Inputs, ByRole, bool], Passes]


def with_change(names: Collection[str], change: Change) -> type[Adapter]:
    """An adapter that computes the named layers in another way."""

    class WithChange(Adapter):
        def _passes(self, layer: Layer, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
            plain = super()._passes
            if layer.name in names:
                return change(plain, layer, inputs, weights, training)
            return plain(layer, inputs, weights, training)

    return WithChange


def left_out(plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """The input itself: the layer does nothing."""
    return inputs[0], lambda gradient: ((gradient,), {})


def with_epsilon(
    plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    settings = dict(layer.settings, epsilon=1e-3)
    return plain(layer._replace(settings=settings), inputs, weights, training)


def padded(mode: Any, **value: Any) -> Change:
    """Other values than zeros around the images."""

    def change(
        plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
    ) -> Passes:
        edge = layer.settings["padding"]
        margins = ((0, 0), (0, 0), (edge, edge), (edge, edge))
        wide = numpy.pad(inputs[0], margins, mode, **value)
        settings = dict(layer.settings, padding=0)
        y, backward = plain(layer._replace(settings=settings), [wide], weights, training)

        def cropped(gradient: numpy.ndarray) -> tuple[list[numpy.ndarray], ByRole]:
            (whole,), roles = backward(gradient)
            return [whole[:, :, edge:-edge, edge:-edge]], roles

        return y, cropped

    return change


def one_pixel_on(
    plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    """Windows begin one pixel further down and right, as where padding stands at the end alone."""
    y, backward = plain(layer, [moved(inputs[0], -1)], weights, training)

    def back(gradient: numpy.ndarray) -> tuple[list[numpy.ndarray], ByRole]:
        gradients, roles = backward(gradient)
        return [moved(gradients[0], 1)], roles

    return y, back


def moved(x: numpy.ndarray, pixels: int) -> numpy.ndarray:
    """Images shifted down and right by pixels, around the edges."""
    return numpy.roll(x, (pixels, pixels), axis=(2, 3))


def mean_pooled(
    plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    """The mean of each window, of as many places as the maximum has."""
    (x,), settings = inputs, layer.settings
    kernel, stride, padding = settings["kernel"], settings["stride"], settings["padding"]
    margins = ((0, 0), (0, 0), *((padding, padding + more) for more in settings["overhang"]))
    columns, positions = unfold(numpy.pad(x, margins), kernel, stride)
    windows = columns.reshape(len(x), x.shape[1], kernel * kernel, -1)

    def backward(gradient: numpy.ndarray) -> tuple[list[numpy.ndarray], ByRole]:
        shares = gradient.reshape(len(x), x.shape[1], 1, 1, *positions) / kernel**2
        spread = numpy.broadcast_to(shares, (*x.shape[:2], kernel, kernel, *positions))
        return [fold(spread, x.shape, stride, padding, settings["overhang"])], {}

    return windows.mean(axis=2).reshape(len(x), -1, *positions), backward


def by_tanh(plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """GELU as its usual approximation."""
    (x,) = inputs
    within = numpy.sqrt(2 / numpy.pi, dtype=x.dtype) * (x + 0.044715 * x**3)
    return 0.5 * x * (1 + numpy.tanh(within)), plain(layer, inputs, weights, training)[1]


def unscaled(plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Products of queries and keys that aren't divided by the root of their length."""
    (x,) = inputs
    width = x.shape[-1] // 3
    factors = numpy.ones(3 * width, x.dtype)
    factors[:width] = numpy.sqrt(width // layer.settings["heads"])
    y, backward = plain(layer, [x * factors], weights, training)
    return y, lambda gradient: ([backward(gradient)[0][0] * factors], {})


def without_mask(
    plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    """Attention to all tokens."""
    settings = dict(layer.settings, causal=False)
    return plain(layer._replace(settings=settings), inputs, weights, training)


def mask_one_token_on(
    plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    """Attention to the next token, too: queries and outputs are one token on."""

    def queries_moved(x: numpy.ndarray, tokens: int) -> numpy.ndarray:
        query, *others = numpy.split(x, 3, axis=-1)
        return numpy.concatenate([numpy.roll(query, tokens, axis=1), *others], axis=-1)

    y, backward = plain(layer, [queries_moved(inputs[0], 1)], weights, training)

    def back(gradient: numpy.ndarray) -> tuple[list[numpy.ndarray], ByRole]:
        (moved_back,), roles = backward(numpy.roll(gradient, 1, axis=1))
        return [queries_moved(moved_back, -1)], roles

    return numpy.roll(y, -1, axis=1), back


def positions_one_token_on(
    plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    """The vector of the next position added to each token."""
    y, backward = plain(layer, inputs, rolled(weights, -1), training)

    def back(gradient: numpy.ndarray) -> tuple[Any, ByRole]:
        gradients, roles = backward(gradient)
        return gradients, rolled(roles, 1)

    return y, back


def rolled(weights: ByRole, tokens: int) -> ByRole:
    return {role: numpy.roll(array, tokens, axis=0) for role, array in weights.items()}


def untied(plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """A table that logits have no part in training, as if they had a table of their own."""
    y, backward = plain(layer, inputs, weights, training)
    return y, lambda gradient: (backward(gradient)[0], {})


def gates_exchanged(
    plain: Plain, layer: Layer, inputs: Inputs, weights: ByRole, training: bool
) -> Passes:
    """The gates' weights in the order of another framework: the second and third for each other."""
    y, backward = plain(layer, inputs, exchanged(weights), training)

    def back(gradient: numpy.ndarray) -> tuple[Any, ByRole]:
        gradients, roles = backward(gradient)
        return gradients, exchanged(roles)

    return y, back


def exchanged(weights: ByRole) -> ByRole:
    """The weights of four gates, one below the other, with the second and third exchanged."""
    parts = {role: numpy.split(array, 4) for role, array in weights.items()}
    return {role: numpy.concatenate([i, g, f, o]) for role, (i, f, g, o) in parts.items()}


def is_padded(layer: Layer) -> bool:
    return layer.kind == "conv" and layer.settings["padding"] > 0


def is_causal(layer: Layer) -> bool:
    return layer.kind == "attention" and bool(layer.settings["causal"])


ACTIVATIONS = ("relu", "relu6", "silu", "sigmoid", "tanh")
CHANGES: dict[str, tuple[Callable[[Layer], bool], Change]] = {
    "first activation left out": (lambda layer: layer.kind in ACTIVATIONS, left_out),
    "each epsilon 1e-3": (lambda layer: "epsilon" in layer.settings, with_epsilon),
    "first padding reflected": (is_padded, padded("reflect")),
    "first padding of ones": (is_padded, padded("constant", constant_values=1)),
    "first stride one pixel on": (lambda layer: layer.settings.get("stride", 1) > 1, one_pixel_on),
    "first pooling by mean": (lambda layer: layer.kind == "max_pool", mean_pooled),
    "first response not normalised": (lambda layer: layer.kind == "lrn", left_out),
    "each GELU by tanh": (lambda layer: layer.kind == "gelu", by_tanh),
    "first attention unscaled": (lambda layer: layer.kind == "attention", unscaled),
    "first LSTM's gates exchanged": (lambda layer: layer.kind == "lstm", gates_exchanged),
    "first attention without mask": (is_causal, without_mask),
    "first mask one token on": (is_causal, mask_one_token_on),
    "positions one token on": (lambda layer: layer.kind == "positions", positions_one_token_on),
    "table untied": (lambda layer: layer.kind == "unembedding", untied),
}
