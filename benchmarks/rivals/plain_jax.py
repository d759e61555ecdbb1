"""LeNet in JAX, as its documentation writes a jitted update of a tree of parameters."""

import jax
import jax.numpy as jnp
import numpy
import plain

random = numpy.random.RandomState(1)
SHAPES = [(5, 5, 1, 20), (5, 5, 20, 50), (800, 500), (500, 10)]
parameters = [
    (
        jnp.array(random.standard_normal(shape) * numpy.prod(shape[:-1]) ** -0.5, jnp.float32),
        jnp.zeros(shape[-1]),
    )
    for shape in SHAPES
]
state = {"parameters": parameters, "velocity": jax.tree.map(jnp.zeros_like, parameters)}


def conv(x, weights, bias):
    layout = ("NHWC", "HWIO", "NHWC")
    return (
        jax.lax.conv_general_dilated(x, weights, (1, 1), "VALID", dimension_numbers=layout) + bias
    )


def max_pool(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def loss(parameters, images, labels):
    conv1, conv2, (weights1, bias1), (weights2, bias2) = parameters
    x = max_pool(conv(max_pool(conv(images, *conv1)), *conv2)).reshape(len(images), -1)
    logits = jax.nn.relu(x @ weights1 + bias1) @ weights2 + bias2
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1).mean()


@jax.jit
def update(state, images, labels):
    gradient = jax.grad(loss)(state["parameters"], images, labels)
    velocity = jax.tree.map(lambda v, g: plain.MOMENTUM * v + g, state["velocity"], gradient)
    parameters = jax.tree.map(
        lambda p, v: p - plain.LEARNING_RATE * v, state["parameters"], velocity
    )
    return {"parameters": parameters, "velocity": velocity}


def step(images, labels):
    state.update(update(state, images, labels))


given = [
    (jax.device_put(x.transpose(0, 2, 3, 1)), jax.device_put(y.astype(numpy.int32)))
    for x, y in plain.batches()
]
plain.measure(step, given, lambda: jax.block_until_ready(state))
