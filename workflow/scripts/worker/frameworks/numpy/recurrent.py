"""The long short-term memory in numpy, forward and backward, in the form of layers.py."""

from typing import NamedTuple, Tuple

import numpy

from worker.frameworks.numpy import layers
from worker.frameworks.numpy.layers import ByRole, Gradients, Inputs, Passes, Settings


class Step(NamedTuple):
    """The values of a token's step, each (n, units).

    i, f, g, o: the gates, after their sigmoid or tanh; before, hidden: the cell and the output
    before the step; squashed: tanh of the cell after it.
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
        step, cell = forward(gates + hidden @ recurrent.T, cell, hidden)
        hidden = step.o * step.squashed
        steps.append(step)
        outputs.append(hidden)

    def backward(gradient: numpy.ndarray) -> Gradients:
        by_gates = numpy.empty_like(by_token)
        by_recurrent = numpy.zeros_like(recurrent)
        by_hidden = by_cell = numpy.zeros_like(cell)
        for token, step in reversed(list(enumerate(steps))):
            by_output = by_hidden + gradient[:, token]
            by_gates[token], by_cell = gradients(step, by_output, by_cell)
            by_recurrent += by_gates[token].T @ step.hidden
            by_hidden = by_gates[token] @ recurrent
        tokens = by_gates.swapaxes(0, 1)
        by_kernel = numpy.tensordot(tokens, x, ((0, 1), (0, 1)))
        roles = {"kernel": by_kernel, "recurrent": by_recurrent, "bias": tokens.sum(axis=(0, 1))}
        return (tokens @ weights["kernel"],), roles

    return numpy.stack(outputs, axis=1), backward


def forward(
    gates: numpy.ndarray, before: numpy.ndarray, hidden: numpy.ndarray
) -> Tuple[Step, numpy.ndarray]:
    """A step from the inputs of its gates (n, 4 * units), and the cell after it."""
    i, f, g, o = numpy.split(gates, 4, axis=1)
    i, f, g, o = sigmoid(i), sigmoid(f), numpy.tanh(g), sigmoid(o)
    cell = f * before + i * g
    return Step(i, f, g, o, before, hidden, numpy.tanh(cell)), cell


def gradients(
    step: Step, by_output: numpy.ndarray, by_cell: numpy.ndarray
) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """The gradients by the gates' inputs and by the cell before, from those by output and cell."""
    i, f, g, o, before, _, squashed = step
    by_cell = by_cell + by_output * o * (1 - squashed**2)
    by_gates = [
        by_cell * g * i * (1 - i),
        by_cell * before * f * (1 - f),
        by_cell * i * (1 - g**2),
        by_output * squashed * o * (1 - o),
    ]
    return numpy.concatenate(by_gates, axis=1), by_cell * f


def sigmoid(x: numpy.ndarray) -> numpy.ndarray:
    """The sigmoid of the layer of that kind."""
    y, _ = layers.sigmoid({}, [x], {}, training=False)
    return y
