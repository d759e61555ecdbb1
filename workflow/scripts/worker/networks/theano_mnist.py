"""LeNet of the deep learning tutorials for Theano: tanh behind poolings and in the dense layer.

The tutorial adds the bias of a convolution behind its pooling. The maximum of sums with one number
is the sum of the maximum, so it may as well stand before it, where convolutions have it.
"""

from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.initial import Initial, constant, uniform

SOURCE = (
    "lisa-lab/DeepLearningTutorials, code/convolutional_mlp.py, "
    "as GTDLBench's models/mnist/theano has it"
)
PUBLISHED = {"1x28x28-10": 431080}

POOL = 2  # pixels a side: a window's four values share one gradient


def define(net: Network) -> Layer:
    """Conv 20, pool, conv 50, pool, dense 500, and a last layer that starts from 0."""
    x = conv_pool_tanh(net, "1", net.input, 20, kernel=5)
    x = conv_pool_tanh(net, "2", x, 50, kernel=5)
    features = x.shape[0] * x.shape[1] * x.shape[2]
    x = net.dense("dense3", x, 500, gain=1, initial=(glorot(features, 500), constant(0)))
    x = net.tanh("dense3/tanh", x)
    return net.dense("dense4", x, net.classes, gain=1, initial=(constant(0), constant(0)))


def conv_pool_tanh(net: Network, number: str, x: Layer, channels: int, kernel: int) -> Layer:
    """A convolution, whose fan-out counts one value of each window of the pooling behind it."""
    area = kernel * kernel
    initial = glorot(x.shape[0] * area, channels * area / POOL**2), constant(0)
    x = net.conv("conv" + number, x, channels, kernel, gain=1, initial=initial)
    x = net.max_pool("pool" + number, x, kernel=POOL, stride=POOL)
    return net.tanh("tanh" + number, x)


def glorot(fan_in: float, fan_out: float) -> Initial:
    """Glorot and Bengio 2010, for tanh."""
    return uniform((6 / (fan_in + fan_out)) ** 0.5)
