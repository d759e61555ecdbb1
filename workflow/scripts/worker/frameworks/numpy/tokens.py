"""The layers of tokens (n, tokens, features) in numpy, in the form of layers.py."""

import math

import numpy

from worker.frameworks.numpy.layers import ByRole, Gradients, Inputs, Passes, Settings, conv

erf = numpy.vectorize(math.erf, otypes=[float])


def patch_tokens(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """A class token, and those of patches by a convolution; positions are added."""
    size = settings["kernel"]
    window = dict(channels=settings["features"], kernel=size, stride=size, padding=0)
    patches, backward_conv = conv(dict(window, bias=True, groups=1), inputs, weights, training)
    n, features = patches.shape[:2]
    first = numpy.broadcast_to(weights["class_token"], (n, 1, features))
    others = patches.reshape(n, features, -1).swapaxes(1, 2)
    y = numpy.concatenate([first, others], axis=1) + weights["positions"]

    def backward(gradient: numpy.ndarray) -> Gradients:
        back = gradient[:, 1:].swapaxes(1, 2).reshape(patches.shape)
        by_input, roles = backward_conv(back)
        roles["class_token"] = gradient[:, 0].sum(axis=0)
        return by_input, dict(roles, positions=gradient.sum(axis=0))

    return y, backward


def embedding(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """A row of the table for each byte; bytes have no gradient."""
    (x,) = inputs
    table = weights["table"]
    numbers = x.reshape(len(x), -1).astype(int)

    def backward(gradient: numpy.ndarray) -> Gradients:
        by_row = numpy.zeros_like(table)
        numpy.add.at(by_row, numbers, gradient)
        return (numpy.zeros_like(x),), {"table": by_row}

    return table[numbers], backward


def unembedding(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """The products of each token and all rows of the table."""
    (x,) = inputs
    table = weights["table"]

    def backward(gradient: numpy.ndarray) -> Gradients:
        by_row = numpy.einsum("ntr,ntf->rf", gradient, x, optimize=True)
        return (gradient @ table,), {"table": by_row}

    return x @ table.T, backward


def positions(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Addition of learnt vectors, which all images share, to the tokens."""
    (x,) = inputs

    def backward(gradient: numpy.ndarray) -> Gradients:
        return (gradient,), {"positions": gradient.sum(axis=0)}

    return x + weights["positions"], backward


def layer_norm(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Normalisation over features, by the variance of the population."""
    (x,) = inputs
    deviation = numpy.sqrt(x.var(axis=-1, keepdims=True) + settings["epsilon"])
    normal = (x - x.mean(axis=-1, keepdims=True)) / deviation

    def backward(gradient: numpy.ndarray) -> Gradients:
        roles = {"scale": (gradient * normal).sum(axis=(0, 1)), "shift": gradient.sum(axis=(0, 1))}
        scaled = gradient * weights["scale"]
        along = normal * (scaled * normal).mean(axis=-1, keepdims=True)
        return ((scaled - scaled.mean(axis=-1, keepdims=True) - along) / deviation,), roles

    return normal * weights["scale"] + weights["shift"], backward


def gelu(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Each x times the normal distribution function at x."""
    (x,) = inputs
    below = (0.5 + 0.5 * erf(x / math.sqrt(2))).astype(x.dtype)

    def backward(gradient: numpy.ndarray) -> Gradients:
        density = numpy.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
        return (gradient * (below + x * density),), {}

    return x * below, backward


def attention(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """Scaled dot-product attention in each head."""
    (x,) = inputs
    n, tokens, _ = x.shape
    heads = x.reshape(n, tokens, 3, settings["heads"], -1).transpose(2, 0, 3, 1, 4)
    query, key, value = heads
    scale = 1 / math.sqrt(query.shape[-1])
    scores = scale * (query @ key.swapaxes(2, 3))
    if settings["causal"]:
        scores[..., ~numpy.tri(tokens, dtype=bool)] = -numpy.inf
    powers = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    shares = powers / powers.sum(axis=-1, keepdims=True)

    def backward(gradient: numpy.ndarray) -> Gradients:
        each = gradient.reshape(n, tokens, settings["heads"], -1).swapaxes(1, 2)
        by_share = each @ value.swapaxes(2, 3)
        centred = by_share - (by_share * shares).sum(axis=-1, keepdims=True)
        by_score = scale * shares * centred
        parts = [by_score @ key, by_score.swapaxes(2, 3) @ query, shares.swapaxes(2, 3) @ each]
        return (numpy.stack(parts).transpose(1, 3, 0, 2, 4).reshape(x.shape),), {}

    return (shares @ value).swapaxes(1, 2).reshape(n, tokens, -1), backward


def first_token(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """The first token of each image."""
    return _token(0, inputs)


def last_token(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """The last token of each image."""
    return _token(-1, inputs)


def _token(number: int, inputs: Inputs) -> Passes:
    (x,) = inputs

    def backward(gradient: numpy.ndarray) -> Gradients:
        spread = numpy.zeros_like(x)
        spread[:, number] = gradient
        return (spread,), {}

    return x[:, number], backward
