"""The neutral network: written once against this builder, realised by every adapter.

Shapes leave out the batch: (channels, height, width) for images, (features,) for vectors.
"""

from collections import namedtuple

# role: kernel, bias, scale, shift, running_mean or running_variance
# initial: the constant it starts from, None for kernels, which are drawn
Weight = namedtuple("Weight", "name shape role initial")
Layer = namedtuple("Layer", "name kind inputs settings shape weights")

TRAINABLE_ROLES = ("kernel", "bias", "scale", "shift")
BATCH_NORM_ROLES = ("scale", "shift", "running_mean", "running_variance")
BATCH_NORM_EPSILON = 1e-5
BATCH_NORM_MOMENTUM = 0.9  # running = 0.9 * running + 0.1 * batch


class TooSmall(ValueError):
    """An image so small that a convolution or pooling window doesn't fit into it."""


class Network:
    """Layers in the order in which they are computed; each method adds one and returns it.

    Weights are in neutral layout: convolution (out, in, height, width), dense (out, in) over the
    channels-first flattened input, batch norm four vectors of (channels,).
    """

    def __init__(self, image_shape, classes):
        self.input = Layer("input", "input", (), {}, tuple(image_shape), ())
        self.classes = classes
        self.layers = [self.input]

    def conv(self, name, x, channels, kernel, stride=1, padding=0, bias=True):
        """2-D cross-correlation with a square kernel and zero padding on all four sides."""
        height, width = self._window(name, x, kernel, stride, padding)
        weights = [Weight(name + "/weight", (channels, x.shape[0], kernel, kernel), "kernel", None)]
        if bias:
            weights.append(Weight(name + "/bias", (channels,), "bias", 0))
        settings = dict(channels=channels, kernel=kernel, stride=stride, padding=padding, bias=bias)
        return self._add(name, "conv", (x,), settings, (channels, height, width), weights)

    def batch_norm(self, name, x, scale=1.0):
        """Batch normalisation over batch, height and width (Ioffe and Szegedy 2015)."""
        initial = dict(scale=scale, shift=0, running_mean=0, running_variance=1)
        weights = [
            Weight(name + "/" + role, x.shape[:1], role, initial[role]) for role in BATCH_NORM_ROLES
        ]
        settings = dict(epsilon=BATCH_NORM_EPSILON, momentum=BATCH_NORM_MOMENTUM)
        return self._add(name, "batch_norm", (x,), settings, x.shape, weights)

    def relu(self, name, x):
        """max(x, 0)."""
        return self._add(name, "relu", (x,), {}, x.shape)

    def max_pool(self, name, x, kernel, stride, padding=0):
        """Maximum over square windows; padding never wins; windows that don't fit are left out."""
        height, width = self._window(name, x, kernel, stride, padding)
        settings = dict(kernel=kernel, stride=stride, padding=padding)
        return self._add(name, "max_pool", (x,), settings, (x.shape[0], height, width))

    def global_average_pool(self, name, x):
        """Mean over height and width: (channels, height, width) to (channels,)."""
        return self._add(name, "global_average_pool", (x,), {}, x.shape[:1])

    def dense(self, name, x, units):
        """Fully connected layer with bias; an image is flattened channels first."""
        features = 1
        for size in x.shape:
            features *= size
        weights = [
            Weight(name + "/weight", (units, features), "kernel", None),
            Weight(name + "/bias", (units,), "bias", 0),
        ]
        return self._add(name, "dense", (x,), dict(units=units), (units,), weights)

    def add(self, name, x, y):
        """Element-wise sum of two layers of one shape."""
        return self._add(name, "add", (x, y), {}, x.shape)

    @property
    def weights(self):
        """All weights, in the order of the layers."""
        return [weight for layer in self.layers for weight in layer.weights]

    @property
    def parameter_count(self):
        """The number of trainable scalars; running statistics don't count."""
        return sum(_size(w.shape) for w in self.weights if w.role in TRAINABLE_ROLES)

    def _window(self, name, x, kernel, stride, padding):
        sizes = [size + 2 * padding - kernel for size in x.shape[1:]]
        if min(sizes) < 0:
            needed = kernel - 2 * padding
            given = "{}x{}".format(*x.shape[1:])
            raise TooSmall(f"layer {name} needs {needed} pixels a side, it gets {given}")
        return [size // stride + 1 for size in sizes]

    def _add(self, name, kind, inputs, settings, shape, weights=()):
        names = tuple(layer.name for layer in inputs)
        layer = Layer(name, kind, names, settings, tuple(shape), tuple(weights))
        self.layers.append(layer)
        return layer


def _size(shape):
    count = 1
    for size in shape:
        count *= size
    return count
