"""Gradients from tensors' moves in a first step, and moves in a second step from gradients."""

import numpy

from worker.networks.neutral.layer import Weight
from worker.networks.neutral.update_rule import BETAS, UpdateRule, correction

ROOT = float(numpy.sqrt(1 - BETAS[1]))  # in Adam's first step, sqrt(v) is ROOT * |gradient|


def slope(update_rule: UpdateRule, weight: Weight) -> float:
    """The move of a tensor in the first step, relative to a small gradient."""
    rate = update_rule.learning_rate * update_rule.factor(weight)
    return rate if update_rule.optimiser == "sgd" else rate * ROOT / update_rule.epsilon


def gradient(update_rule: UpdateRule, weight: Weight, move: numpy.ndarray) -> numpy.ndarray:
    """The gradient of a first step, decay included, from a tensor's move in that step.

    Adam's move is rate * ROOT * g / (ROOT * |g| + epsilon).
    """
    scaled: numpy.ndarray = -move / slope(update_rule, weight)
    if update_rule.optimiser == "sgd":
        return scaled
    exact: numpy.ndarray = scaled / (1 - ROOT / update_rule.epsilon * numpy.abs(scaled))
    return exact


def second_move(
    update_rule: UpdateRule, weight: Weight, first: numpy.ndarray, second: numpy.ndarray
) -> numpy.ndarray:
    """The move of a tensor in the second step, from both steps' gradients, decay included."""
    rate = update_rule.learning_rate * update_rule.factor(weight)
    if update_rule.optimiser == "sgd":
        velocity: numpy.ndarray = rate * (update_rule.momentum * first + second)
        return -velocity
    beta1, beta2 = BETAS
    m = (1 - beta1) * (beta1 * first + second)
    v = (1 - beta2) * (beta2 * first**2 + second**2)
    move: numpy.ndarray = rate * correction(2) * m / (numpy.sqrt(v) + update_rule.epsilon)
    return -move
