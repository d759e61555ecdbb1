"""Networks in JAX, as its own examples write models (stax) and a jitted update."""

import os

import plain

os.environ["PJRT_NPROC"] = str(plain.THREADS)

import gpt_jax
import jax
import jax.numpy as jnp
import numpy
from jax import lax, random
from jax.example_libraries import optimizers, stax
from jax.example_libraries.stax import Conv, Dense, Dropout, Flatten, MaxPool, Relu

PADDED = [(1, 1), (1, 1)]


def lenet():
    return stax.serial(
        Conv(20, (5, 5)),
        MaxPool((2, 2), (2, 2)),
        Conv(50, (5, 5)),
        MaxPool((2, 2), (2, 2)),
        Flatten,
        Dense(500),
        Relu,
        Dense(plain.CLASSES),
    )


def alexnet():
    convolutions = stax.serial(
        *(Conv(96, (3, 3), (2, 2), PADDED), Relu, lrn(), MaxPool((3, 3), (2, 2))),
        *(grouped_conv(256, 5), Relu, lrn(), MaxPool((3, 3), (2, 2))),
        *(Conv(384, (3, 3), padding="SAME"), Relu),
        *(grouped_conv(384, 3), Relu),
        *(grouped_conv(256, 3), Relu, MaxPool((3, 3), (2, 2))),
    )
    hidden = [Dense(4096), Relu, Dropout(0.5, mode="train" if plain.STAGE == "train" else "test")]
    return stax.serial(convolutions, Flatten, *hidden, *hidden, Dense(plain.CLASSES))


def grouped_conv(channels, size):
    """In two groups; stax has none."""

    def init(key, shape):
        kernel_shape = (size, size, shape[3] // 2, channels)
        kernel = jax.nn.initializers.glorot_normal()(key, kernel_shape)
        return (*shape[:3], channels), (kernel, jnp.zeros(channels))

    def apply(parameters, x, **_):
        kernel, bias = parameters
        layout = ("NHWC", "HWIO", "NHWC")
        groups = dict(dimension_numbers=layout, feature_group_count=2)
        return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", **groups) + bias

    return init, apply


def lrn(size=5, alpha=1e-4, beta=0.75):
    """Local response normalisation, which JAX has no function for."""

    def normalise(x):
        window = (1, 1, 1, size)
        sums = lax.reduce_window(x**2, 0.0, lax.add, window, (1, 1, 1, 1), "SAME")
        return x * (1 + alpha / size * sums) ** -beta

    return stax.elementwise(normalise)


def resnet50():
    blocks = [
        bottleneck(64 * 2**stage, 2 if stage and not block else 1, projected=not block)
        for stage, count in enumerate((3, 4, 6, 3))
        for block in range(count)
    ]
    pool = stax.AvgPool((4, 4))
    return stax.serial(*conv_norm(64, 3), Relu, *blocks, pool, Flatten, Dense(plain.CLASSES))


def bottleneck(width, stride, projected):
    body = [*conv_norm(width, 1), Relu, *conv_norm(width, 3, stride), Relu]
    body = stax.serial(*body, *conv_norm(4 * width, 1))
    shortcut = stax.serial(*conv_norm(4 * width, 1, stride)) if projected else stax.Identity
    return stax.serial(stax.FanOut(2), stax.parallel(body, shortcut), stax.FanInSum, Relu)


def conv_norm(channels, size, stride=1):
    """The convolution without bias, which stax always adds."""
    padding, strides = PADDED if size == 3 else "VALID", (stride, stride)
    with_bias, _ = Conv(channels, (size, size), strides, padding)

    def init(key, shape):
        shape, (kernel, _) = with_bias(key, shape)
        return shape, kernel

    def apply(kernel, x, **_):
        layout = ("NHWC", "HWIO", "NHWC")
        return lax.conv_general_dilated(x, kernel, strides, padding, dimension_numbers=layout)

    return (init, apply), stax.BatchNorm()


def gpt2_mini():
    def init(key, _):
        return None, gpt_jax.initialise(key, **plain.GPT)

    def apply(parameters, numbers, **_):
        return gpt_jax.logits(parameters, numbers, plain.HEADS)[0]

    return init, apply


NETWORKS = {"lenet": lenet, "alexnet": alexnet, "resnet50": resnet50, "gpt2_mini": gpt2_mini}
initialise, predict = NETWORKS[plain.NETWORK]()
start, move, parameters_of = optimizers.momentum(plain.LEARNING_RATE, plain.MOMENTUM)


def loss(parameters, images, labels, key):
    scores = stax.logsoftmax(predict(parameters, images, rng=key))
    return -jnp.take_along_axis(scores, labels[..., None], axis=-1).mean()


@jax.jit
def update(state, images, labels, key):
    key, subkey = random.split(key)
    gradient = jax.grad(loss)(parameters_of(state), images, labels, subkey)
    return move(0, gradient, state), key


def step(images, labels):
    global state, key
    state, key = update(state, images, labels, key)


@jax.jit
def logits(state, images):
    return predict(parameters_of(state), images)


def infer(images, _):
    global predicted
    predicted = logits(state, images)


@jax.jit
def generate(state, texts):
    prompts = texts[:, : plain.PROMPT]
    return gpt_jax.generate(parameters_of(state), prompts, plain.GENERATED, plain.HEADS)


def continue_prompts(texts, _):
    global predicted
    predicted = generate(state, texts)


batches = [
    (jax.device_put(x if x.ndim == 2 else x.transpose(0, 2, 3, 1)), y.astype(numpy.int32))
    for x, y in plain.batches()
]
key = random.key(1)
state = start(initialise(key, batches[0][0].shape)[1])
predicted = None
if plain.STAGE == "train":
    plain.measure(step, batches, lambda: jax.block_until_ready(state))
else:
    function = {"infer": infer, "generate": continue_prompts}[plain.STAGE]
    plain.measure(function, batches, lambda: jax.block_until_ready(predicted))
