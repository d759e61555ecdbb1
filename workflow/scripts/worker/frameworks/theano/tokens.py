"""The layers of tokens (n, tokens, features) as Theano expressions."""

from typing import Dict, List

import numpy
import theano
from theano import Variable, tensor
from theano.tensor import TensorVariable as Tensor
from theano.tensor.nnet import conv2d

from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds

ByRole = Dict[str, Variable]
"""A layer's weights by role."""
LOWEST = -1e30
"""What a mask adds to scores: exp() of it is 0."""


def patch_tokens(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A class token and those of patches, with learnt positions."""
    stride = (layer.settings["kernel"],) * 2
    patches = conv2d(x, weights["kernel"], subsample=stride, filter_flip=False)
    patches = patches.flatten(3).dimshuffle(0, 2, 1) + weights["bias"]
    first = tensor.zeros_like(patches[:, :1]) + weights["class_token"]
    return tensor.concatenate([first, patches], axis=1) + weights["positions"]


def embedding(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A row of the table for each value."""
    return weights["table"][tensor.cast(x.flatten(2), "int32")]


def lstm(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """A scan over tokens, after one product of the kernel and all tokens."""
    units = layer.settings["units"]

    def step(by_input: Tensor, cell: Tensor, hidden: Tensor, recurrent: Tensor) -> List[Tensor]:
        gates = by_input + tensor.dot(hidden, recurrent)
        i, f, g, o = (gates[:, part * units : (part + 1) * units] for part in range(4))
        cell = tensor.nnet.sigmoid(f) * cell + tensor.nnet.sigmoid(i) * tensor.tanh(g)
        return [cell, tensor.nnet.sigmoid(o) * tensor.tanh(cell)]

    by_tokens = tensor.dot(x.dimshuffle(1, 0, 2), weights["kernel"].T) + weights["bias"]
    start = tensor.zeros((x.shape[0], units), x.dtype)
    (_, outputs), _ = theano.scan(
        step,
        sequences=by_tokens,
        outputs_info=[start, start],
        non_sequences=[weights["recurrent"].T],
        strict=True,
    )
    return outputs.dimshuffle(1, 0, 2)


def layer_norm(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Normalisation over features."""
    centred = x - x.mean(-1, keepdims=True)
    variance = tensor.sqr(centred).mean(-1, keepdims=True)
    deviation = tensor.sqrt(variance + numpy.float32(layer.settings["epsilon"]))
    return centred / deviation * weights["scale"] + weights["shift"]


def gelu(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Each x times the normal distribution function at x."""
    return x * (0.5 + 0.5 * tensor.erf(x * numpy.float32(0.5**0.5)))


def attention(layer: Layer, weights: ByRole, x: Tensor) -> Tensor:
    """Two batched products and a softmax; Theano's have three and two axes."""
    (tokens, features), heads = layer.shape, layer.settings["heads"]
    each = features // heads
    parts = x.reshape((-1, tokens, 3, heads, each)).dimshuffle(2, 0, 3, 1, 4)
    query, key, value = (parts[i].reshape((-1, tokens, each)) for i in range(3))
    scores = tensor.batched_dot(query * numpy.float32(each**-0.5), key.dimshuffle(0, 2, 1))
    if layer.settings["causal"]:
        scores += numpy.where(numpy.tri(tokens), 0, LOWEST).astype(numpy.float32)
    shares = tensor.nnet.softmax(scores.reshape((-1, tokens))).reshape((-1, tokens, tokens))
    y = tensor.batched_dot(shares, value).reshape((-1, heads, tokens, each))
    return y.dimshuffle(0, 2, 1, 3).reshape((-1, tokens, features))


KINDS: Kinds = {
    "patch_tokens": patch_tokens,
    "embedding": embedding,
    "unembedding": lambda layer, weights, x: tensor.dot(x, weights["table"].T),
    "positions": lambda layer, weights, x: x + weights["positions"],
    "lstm": lstm,
    "layer_norm": layer_norm,
    "gelu": gelu,
    "attention": attention,
    "first_token": lambda layer, weights, x: x[:, 0],
    "last_token": lambda layer, weights, x: x[:, -1],
}
