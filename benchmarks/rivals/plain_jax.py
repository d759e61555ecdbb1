"""Networks in JAX, as its own examples write models (stax) and a jitted update."""

import os

import plain

os.environ["PJRT_NPROC"] = str(plain.THREADS)

import encoder_jax
import gpt_jax
import jax
import jax.numpy as jnp
import numpy
from jax import lax, random
from jax.example_libraries import optimizers, stax
from jax.example_libraries.stax import Conv, Dense, Dropout, Flatten, MaxPool, Relu

PADDED = [(1, 1), (1, 1)]
RELU6 = stax.elementwise(jax.nn.relu6)


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
    hidden = [Dense(4096), Relu]
    if plain.STAGE == "train":  # stax's dropout wants random numbers in prediction, too
        hidden.append(Dropout(0.5))
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


def resnet20():
    blocks = [
        basic(16 * 2**stage, 2 if stage and not block else 1)
        for stage in range(3)
        for block in range(3)
    ]
    pool = stax.AvgPool((8, 8))
    return stax.serial(*conv_norm(16, 3), Relu, *blocks, pool, Flatten, Dense(plain.CLASSES))


def basic(width, stride):
    body = stax.serial(*conv_norm(width, 3, stride), Relu, *conv_norm(width, 3))
    shortcut = stax.serial(*conv_norm(width, 1, stride)) if stride > 1 else stax.Identity
    return stax.serial(added(body, shortcut), Relu)


def bottleneck(width, stride, projected):
    body = [*conv_norm(width, 1), Relu, *conv_norm(width, 3, stride), Relu]
    body = stax.serial(*body, *conv_norm(4 * width, 1))
    shortcut = stax.serial(*conv_norm(4 * width, 1, stride)) if projected else stax.Identity
    return stax.serial(added(body, shortcut), Relu)


def added(body, shortcut):
    return stax.serial(stax.FanOut(2), stax.parallel(body, shortcut), stax.FanInSum)


def mobilenet_v2():
    stages = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2))
    stages += ((6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
    blocks, inputs = [], 32
    for expansion, channels, count, stride in stages:
        for block in range(count):
            blocks.append(inverted(inputs, expansion, channels, 1 if block else stride))
            inputs = channels
    last = [*conv_norm(1280, 1), RELU6, stax.AvgPool((7, 7)), Flatten]
    if plain.STAGE == "train":
        last.append(Dropout(0.8))
    return stax.serial(*conv_norm(32, 3, 2), RELU6, *blocks, *last, Dense(plain.CLASSES))


def inverted(inputs, expansion, channels, stride):
    """MobileNetV2's block; stax's dropout takes the share that it keeps."""
    width = inputs * expansion
    wide = [*conv_norm(width, 1), RELU6] if expansion > 1 else []
    depthwise = [*conv_norm(width, 3, stride, groups=width), RELU6]
    body = stax.serial(*wide, *depthwise, *conv_norm(channels, 1))
    return added(body, stax.Identity) if stride == 1 and inputs == channels else body


def conv_norm(channels, size, stride=1, groups=1):
    """A convolution without bias and in groups, neither of which stax has, and its batch norm."""
    padding = PADDED if size == 3 else "VALID"

    def init(key, shape):
        kernel_shape = (size, size, shape[3] // groups, channels)
        kernel = jax.nn.initializers.glorot_normal()(key, kernel_shape)
        return (shape[0], -(-shape[1] // stride), -(-shape[2] // stride), channels), kernel

    def apply(kernel, x, **_):
        layout = ("NHWC", "HWIO", "NHWC")
        settings = dict(dimension_numbers=layout, feature_group_count=groups)
        return lax.conv_general_dilated(x, kernel, (stride, stride), padding, **settings)

    return (init, apply), stax.BatchNorm() if plain.STAGE == "train" else stored_norm()


def stored_norm():
    """Batch norm by stored statistics, which stax's doesn't have."""

    def init(key, shape):
        shift, scale = jnp.zeros(shape[3]), jnp.ones(shape[3])
        return shape, (shift, scale, shift, scale)

    def apply(parameters, x, **_):
        shift, scale, mean, variance = parameters
        return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift

    return init, apply


def gpt2_mini():
    def init(key, _):
        return None, gpt_jax.initialise(key, **plain.TEXT)

    def apply(parameters, numbers, **_):
        return gpt_jax.logits(parameters, numbers, plain.HEADS)[0]

    return init, apply


def text_encoder():
    def init(key, _):
        return None, encoder_jax.initialise(key, classes=plain.CLASSES, **plain.TEXT)

    def apply(parameters, numbers, **_):
        return encoder_jax.logits(parameters, numbers, plain.HEADS)

    return init, apply


OF_IMAGES = (lenet, alexnet, resnet50, resnet20, mobilenet_v2)
NETWORKS = {network.__name__: network for network in (*OF_IMAGES, text_encoder, gpt2_mini)}
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


x, y = plain.batch()
x = jax.device_put(x if x.ndim == 2 else x.transpose(0, 2, 3, 1))
batch = x, y.astype(numpy.int32)
key = random.key(1)
state = start(initialise(key, x.shape)[1])
predicted = None
if plain.STAGE == "train":
    plain.measure(step, batch, lambda: jax.block_until_ready(state))
else:
    function = {"infer": infer, "generate": continue_prompts}[plain.STAGE]
    plain.measure(function, batch, lambda: jax.block_until_ready(predicted))
