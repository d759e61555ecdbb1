"""What a recipe's first two steps tell of the gradients that they were made with, and back."""

import numpy

from worker.networks.neutral.layer import Weight
from worker.networks.neutral.recipe import BETAS, Recipe, correction

ROOT = float(numpy.sqrt(1 - BETAS[1]))  # Adam's first root of v is that times the gradient's size


def slope(recipe: Recipe, weight: Weight) -> float:
    """How far the first step moves a tensor, relative to a small gradient."""
    rate = recipe.learning_rate * recipe.factor(weight)
    return rate if recipe.optimiser == "sgd" else rate * ROOT / recipe.epsilon


def gradient(recipe: Recipe, weight: Weight, move: numpy.ndarray) -> numpy.ndarray:
    """The gradient, decay included, by which a first step moved a tensor.

    Adam's move is rate * ROOT * g / (ROOT * |g| + epsilon).
    """
    scaled: numpy.ndarray = -move / slope(recipe, weight)
    if recipe.optimiser == "sgd":
        return scaled
    found: numpy.ndarray = scaled / (1 - ROOT / recipe.epsilon * numpy.abs(scaled))
    return found


def second_move(
    recipe: Recipe, weight: Weight, first: numpy.ndarray, second: numpy.ndarray
) -> numpy.ndarray:
    """How far the second step moves a tensor, given both steps' gradients, decay included."""
    rate = recipe.learning_rate * recipe.factor(weight)
    if recipe.optimiser == "sgd":
        velocity: numpy.ndarray = rate * (recipe.momentum * first + second)
        return -velocity
    beta1, beta2 = BETAS
    m = (1 - beta1) * (beta1 * first + second)
    v = (1 - beta2) * (beta2 * first**2 + second**2)
    move: numpy.ndarray = rate * correction(2) * m / (numpy.sqrt(v) + recipe.epsilon)
    return -move
