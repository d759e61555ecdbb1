"""The long short-term memory in numpy, forward and backward, as in layers.py."""

from typing import NamedTuple, Tuple

import numpy

from worker.frameworks.numpy import layers
from worker.frameworks.numpy.layers import ByRole, Gradients, Inputs, Passes, Settings


class Step(NamedTuple):
    """What a token's step computed, each (n, units); `before` and `hidden` are what it began with.

    i, f, g, o: the gates, behind their sigmoid or tanh; squashed: tanh of the cell behind it.
    """

    i: numpy.ndarray
    f: numpy.ndarray
    g: numpy.ndarray
    o: numpy.ndarray
    before: numpy.ndarray
    hidden: numpy.ndarray
    squashed: numpy.ndarray


def lstm(settings: Settings, inputs: Inputs, weights: ByRole, training: bool) -> Passes:
    """A step for each token, and their gradients from the last to the first."""
    (x,) = inputs
    recurrent = weights["recurrent"]
    by_token = (x @ weights["kernel"].T + weights["bias"]).swapaxes(0, 1)
    cell = hidden = numpy.zeros((len(x), settings["units"]), x.dtype)
    steps, outputs = [], []
    for gates in by_token:
        done, cell = forward(gates + hidden @ recurrent.T, cell, hidden)
        hidden = done.o * done.squashed
        steps.append(done)
        outputs.append(hidden)

    def backward(gradient: numpy.ndarray) -> Gradients:
        by_gates = numpy.empty_like(by_token)
        by_recurrent = numpy.zeros_like(recurrent)
        by_hidden = by_cell = numpy.zeros_like(cell)
        for token, done in reversed(list(enumerate(steps))):
            by_output = by_hidden + gradient[:, token]
            by_gates[token], by_cell = gradients(done, by_output, by_cell)
            by_recurrent += by_gates[token].T @ done.hidden
            by_hidden = by_gates[token] @ recurrent
        tokens = by_gates.swapaxes(0, 1)
        by_kernel = numpy.tensordot(tokens, x, ((0, 1), (0, 1)))
        roles = {"kernel": by_kernel, "recurrent": by_recurrent, "bias": tokens.sum(axis=(0, 1))}
        return (tokens @ weights["kernel"],), roles

    return numpy.stack(outputs, axis=1), backward


def forward(
    gates: numpy.ndarray, before: numpy.ndarray, hidden: numpy.ndarray
) -> Tuple[Step, numpy.ndarray]:
    """A step from what enters its gates (n, 4 * units), and the cell after it."""
    i, f, g, o = numpy.split(gates, 4, axis=1)
    i, f, g, o = sigmoid(i), sigmoid(f), numpy.tanh(g), sigmoid(o)
    cell = f * before + i * g
    return Step(i, f, g, o, before, hidden, numpy.tanh(cell)), cell


def gradients(
    done: Step, by_output: numpy.ndarray, by_cell: numpy.ndarray
) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """Those of what enters the gates and of the cell before, from those of output and cell."""
    i, f, g, o, before, _, squashed = done
    by_cell = by_cell + by_output * o * (1 - squashed**2)
    by_gates = [
        by_cell * g * i * (1 - i),
        by_cell * before * f * (1 - f),
        by_cell * i * (1 - g**2),
        by_output * squashed * o * (1 - o),
    ]
    return numpy.concatenate(by_gates, axis=1), by_cell * f


def sigmoid(x: numpy.ndarray) -> numpy.ndarray:
    """The layer's function."""
    y, _ = layers.sigmoid({}, [x], {}, training=False)
    return y
