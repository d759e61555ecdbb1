"""The layers as Theano expressions."""

from functools import partial
from typing import Any, Dict, List, Optional, Tuple

import numpy
from theano import Variable, tensor
from theano.compile import optdb
from theano.gof import Apply
from theano.gof.opt import local_optimizer
from theano.sandbox.rng_mrg import MRG_RandomStreams
from theano.tensor import TensorVariable as Tensor
from theano.tensor.nnet import bn, conv2d
from theano.tensor.opt import in2out
from theano.tensor.signal.pool import MaxPoolGrad, pool_2d

from worker.frameworks.theano import tokens
from worker.networks.neutral.builder import BATCH_NORM_ROLES, RELU6_LEAST, Layer
from worker.networks.neutral.forward import Kinds

ByRole = Dict[str, Variable]
"""A layer's weights by role."""

SPATIAL = (0, 2, 3)


class FirstMaxPoolGrad(MaxPoolGrad):
    """The gradient of max pooling, for only the first of equal maxima.

    Theano gives the whole gradient to each of them, which is too much for plain backgrounds. Here
    the variable `maximum` becomes NaN after its first match, so that it equals no later value.
    """

    def c_code(
        self, node: Apply, name: str, inp: List[str], out: List[str], sub: Dict[str, Any]
    ) -> str:
        """Theano's code with one more assignment."""
        match = "gx[0] = gx[0] + gz[0];"
        code = super().c_code(node, name, inp, out, sub)
        return code.replace(match, match + " maximum = Py_NAN;")

    def c_code_cache_version(self) -> Tuple[int, ...]:
        """The version of c_code(): each change of it must raise the first number."""
        return (1, *super().c_code_cache_version())


@local_optimizer([MaxPoolGrad])
def first_maximum(node: Apply) -> Optional[List[Variable]]:
    """Replace Theano's gradient of max pooling on the CPU by FirstMaxPoolGrad."""
    is_theanos = type(node.op) is MaxPoolGrad
    return [FirstMaxPoolGrad(node.op.ignore_border)(*node.inputs)] if is_theanos else None


# At this position, a GPU's own operators have already replaced Theano's.
optdb.register("first_maximum", in2out(first_maximum), 60, "fast_run")


def conv(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Cross-correlation with or without bias."""
    settings = layer.settings
    y = conv2d(
        x,
        weights["kernel"],
        filter_shape=layer.weights[0].shape,
        border_mode=(settings["padding"],) * 2,
        subsample=(settings["stride"],) * 2,
        filter_flip=False,
        num_groups=settings["groups"],
    )
    return y + spread(weights["bias"]) if settings["bias"] else y


def relu(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """max(x, 0), with a gradient of 0 at 0; Theano's own function has a gradient of 1/2 there.

    Zeros are frequent: a convolution with a bias of 0 returns 0 where a ReLU left only zeros.
    """
    return x * (x > 0)


def max_pool(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Maximum over windows; Theano can't combine padding and windows that reach over the edge."""
    settings = layer.settings
    partial_windows, padding = any(settings["overhang"]), settings["padding"]
    if partial_windows and padding:
        x, padding = padded(x, padding, -numpy.inf), 0
    pair = {name: (settings[name],) * 2 for name in ("kernel", "stride")}
    return pool_2d(x, pair["kernel"], not partial_windows, pair["stride"], (padding,) * 2)


def average_pool(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Mean of the pixels of each window that are within the image."""
    size, stride = ((layer.settings[name],) * 2 for name in ("kernel", "stride"))
    is_whole = not any(layer.settings["overhang"])
    return pool_2d(x, size, is_whole, stride, mode="average_exc_pad")


def lrn(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Division by a power of the sum of squares over neighbouring channels."""
    size, strength = layer.settings["size"], layer.settings["alpha"] / layer.settings["size"]
    reach = size // 2
    channels = layer.shape[0]
    squares = tensor.sqr(x)
    zeros = tensor.zeros((x.shape[0], reach, x.shape[2], x.shape[3]), dtype=x.dtype)
    wide = tensor.concatenate([zeros, squares, zeros], axis=1)
    total = sum(wide[:, first : first + channels] for first in range(size))
    return x * (1 + strength * total) ** -layer.settings["beta"]


def dropout(random: MRG_RandomStreams, layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Random zeros; the other values are divided by the share of values that are kept."""
    kept = 1 - layer.settings["rate"]
    return x * random.binomial(x.shape, p=kept, dtype=x.dtype) / kept


def concat(layer: Layer, weights: ByRole, *inputs: Tensor) -> Tensor:
    """Concatenation of channels, with an explicit shape.

    Theano would derive the shape as a sum over the inputs' sides, with twice as many terms after
    each concatenation: DenseNet-161's functions weren't compiled after 20 minutes.
    """
    joined = tensor.concatenate(inputs, axis=1)
    return tensor.specify_shape(joined, (inputs[0].shape[0], *layer.shape))


def dense(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Affine map of the channels-first flattened input, or of each token."""
    flat = x if len(layer.shape) == 2 else x.flatten(2)
    return tensor.dot(flat, weights["kernel"].T) + weights["bias"]


def batch_norm(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Normalisation by the running statistics."""
    variables = [weights[role] for role in BATCH_NORM_ROLES]
    return bn.batch_normalization_test(x, *variables, axes=SPATIAL, epsilon=epsilon(layer))


def batch_norm_training(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Normalisation by the batch's statistics, which also update the running statistics."""
    y, _, _, weights["running_mean"], weights["running_variance"] = bn.batch_normalization_train(
        x,
        weights["scale"],
        weights["shift"],
        SPATIAL,
        epsilon(layer),
        1 - layer.settings["momentum"],
        weights["running_mean"],
        weights["running_variance"],
    )
    return y


def epsilon(layer: Layer) -> numpy.float32:
    """The next float32 above the layer's epsilon, because Theano refuses less than 1e-5."""
    return numpy.nextafter(numpy.float32(layer.settings["epsilon"]), numpy.float32(1))


def padded(x: Tensor, width: int, value: float) -> Tensor:
    """Images (n, C, H, W) with a frame of `width` pixels that have this value."""
    n, channels, height, columns = x.shape
    shape = (n, channels, height + 2 * width, columns + 2 * width)
    frame = tensor.alloc(numpy.float32(value), *shape)
    return tensor.set_subtensor(frame[:, :, width:-width, width:-width], x)


def spread(vector: Variable) -> Tensor:
    """One value per channel, in a shape that broadcasts over images."""
    return vector.dimshuffle("x", 0, "x", "x")


EVALUATION: Kinds = {
    **tokens.KINDS,
    "conv": conv,
    "batch_norm": batch_norm,
    "relu": relu,
    "relu6": lambda layer, weights, x: tensor.clip(x, numpy.float32(RELU6_LEAST), numpy.float32(6)),
    "silu": lambda layer, weights, x: x * tensor.nnet.sigmoid(x),
    "sigmoid": lambda layer, weights, x: tensor.nnet.sigmoid(x),
    "tanh": lambda layer, weights, x: tensor.tanh(x),
    "max_pool": max_pool,
    "average_pool": average_pool,
    "lrn": lrn,
    "dropout": lambda layer, weights, x: x,
    "concat": concat,
    "global_average_pool": lambda layer, weights, x: x.mean((2, 3)),
    "dense": dense,
    "add": lambda layer, weights, x, y: x + y,
    "multiply": lambda layer, weights, x, factors: x * factors.dimshuffle(0, 1, "x", "x"),
}


def training(random: MRG_RandomStreams) -> Kinds:
    """The layers in training, with dropout from a stream of random numbers."""
    return dict(EVALUATION, batch_norm=batch_norm_training, dropout=partial(dropout, random))
