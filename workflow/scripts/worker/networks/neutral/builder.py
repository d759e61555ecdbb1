"""The neutral network: written once with this builder, and built in each framework by its adapter.

Shapes leave out the batch: (channels, height, width) for images, (tokens, features) for sequences,
(features,) for vectors.
"""

from typing import Any, Dict, List, Optional, Sequence

from worker.networks.neutral.initial import constant
from worker.networks.neutral.layer import (
    BATCH_NORM_ROLES,
    RANKS,
    TRAINABLE_ROLES,
    VECTOR_KINDS,
    Layer,
    Starts,
    Weight,
    affine,
)
from worker.networks.neutral.shapes import WrongShape, room, size_of, text_of, windows
from worker.networks.neutral.tokens import BYTES, TokenLayers

__all__ = ("BATCH_NORM_ROLES", "TRAINABLE_ROLES", "VECTOR_KINDS", "Layer", "Network", "Weight")

RELU6_LEAST = 1e-12  # ReLU6's lower bound in frameworks whose clipping has a gradient at its bounds
HE_GAIN = 2.0  # keeps the variance through a ReLU: He et al. 2015
SMALL_IMAGE = 64  # pixels a side
BATCH_NORM_EPSILON = 1e-5
RANK_NAMES = {1: "a vector", 2: "tokens", 3: "images"}
BATCH_NORM_MOMENTUM = 0.9  # running = 0.9 * running + 0.1 * batch


class Network(TokenLayers):
    """Layers in the order in which they are computed; each method adds one and returns it.

    The last layer gives the logits: a vector of the classes, or in a language model such a vector
    for each token, where the classes are the vocabulary. Weights are in neutral layout:
    convolution (out, in, height, width), dense (out, in) over the channels-first flattened input,
    batch norm four vectors of (channels,).
    """

    def __init__(self, image_shape: Sequence[int], classes: int) -> None:
        self.input = Layer("input", "input", (), {}, tuple(image_shape), ())
        self.classes = classes
        self.layers = [self.input]

    def conv(
        self,
        name: str,
        x: Layer,
        channels: int,
        kernel: int,
        stride: int = 1,
        padding: int = 0,
        bias: bool = True,
        groups: int = 1,
        gain: float = HE_GAIN,
        initial: Optional[Starts] = None,
    ) -> Layer:
        """2-D cross-correlation with a square kernel and zero padding on all four sides.

        groups: input and output channels are divided into so many groups; an output group reads
        only its own input group. gain: the variance of the kernel's usual values, times its fan-in.
        initial: replaces the usual values of kernel and bias, except in the parity check.
        """
        shape = (channels, *(n // stride + 1 for n in room(name, x.shape, kernel, padding)))
        kernel_shape = (channels, x.shape[0] // groups, kernel, kernel)
        weights = affine(name, kernel_shape, gain, initial)[: 1 + bias]
        settings = dict(channels=channels, kernel=kernel, stride=stride, padding=padding)
        settings.update(bias=bias, groups=groups)
        return self._add(name, "conv", (x,), settings, shape, weights)

    def conv_relu(self, name: str, x: Layer, channels: int, **settings: Any) -> Layer:
        """A convolution and its ReLU, named <name>/relu."""
        return self.relu(name + "/relu", self.conv(name, x, channels, **settings))

    def conv_norm(
        self, name: str, x: Layer, channels: int, kernel: int, scale: float = 1.0, **settings: Any
    ) -> Layer:
        """A convolution without bias, <name>/conv, and its batch normalisation, <name>/norm."""
        x = self.conv(name + "/conv", x, channels, kernel, bias=False, **settings)
        return self.batch_norm(name + "/norm", x, scale)

    def batch_norm(self, name: str, x: Layer, scale: float = 1.0) -> Layer:
        """Batch normalisation over batch, height and width (Ioffe and Szegedy 2015)."""
        usual = dict(scale=scale, shift=0, running_mean=0, running_variance=1)
        weights = [
            Weight(name + "/" + role, x.shape[:1], role, constant(usual[role]))
            for role in BATCH_NORM_ROLES
        ]
        settings = dict(epsilon=BATCH_NORM_EPSILON, momentum=BATCH_NORM_MOMENTUM)
        return self._add(name, "batch_norm", (x,), settings, x.shape, weights)

    def relu(self, name: str, x: Layer) -> Layer:
        """max(x, 0)."""
        return self._add(name, "relu", (x,), {}, x.shape)

    def relu6(self, name: str, x: Layer) -> Layer:
        """min(max(x, 0), 6)."""
        return self._add(name, "relu6", (x,), {}, x.shape)

    def silu(self, name: str, x: Layer) -> Layer:
        """The product x * sigmoid(x), also known as swish."""
        return self._add(name, "silu", (x,), {}, x.shape)

    def sigmoid(self, name: str, x: Layer) -> Layer:
        """1 / (1 + exp(-x))."""
        return self._add(name, "sigmoid", (x,), {}, x.shape)

    def tanh(self, name: str, x: Layer) -> Layer:
        """(exp(x) - exp(-x)) / (exp(x) + exp(-x))."""
        return self._add(name, "tanh", (x,), {}, x.shape)

    def max_pool(
        self,
        name: str,
        x: Layer,
        kernel: int,
        stride: int,
        padding: int = 0,
        partial: bool = False,
    ) -> Layer:
        """Maximum over square windows; padding is never the maximum.

        Windows that don't fit are left out. With `partial` they are kept, and reach over the bottom
        and the right edge by the rows and columns of the layer's setting `overhang`.
        """
        counts, overhang = windows(name, x.shape, kernel, stride, padding, partial)
        settings = dict(kernel=kernel, stride=stride, padding=padding, overhang=overhang)
        return self._add(name, "max_pool", (x,), settings, (x.shape[0], *counts))

    def average_pool(
        self, name: str, x: Layer, kernel: int, stride: int, partial: bool = False
    ) -> Layer:
        """Mean over square windows without padding; only pixels within the image count.

        Windows that don't fit are left out. With `partial` they are kept, as in max_pool, and
        divide by fewer pixels, as in BVLC Caffe.
        """
        counts, overhang = windows(name, x.shape, kernel, stride, partial=partial)
        settings = dict(kernel=kernel, stride=stride, overhang=overhang)
        return self._add(name, "average_pool", (x,), settings, (x.shape[0], *counts))

    def lrn(
        self, name: str, x: Layer, size: int = 5, alpha: float = 1e-4, beta: float = 0.75
    ) -> Layer:
        """Local response normalisation: x / (1 + alpha / size * sum of squares) ** beta.

        The sum is over `size` neighbouring channels, an odd number (Krizhevsky et al. 2012, in the
        form of BVLC Caffe, whose defaults these are).
        """
        settings = dict(size=size, alpha=alpha, beta=beta)
        return self._add(name, "lrn", (x,), settings, x.shape)

    def dropout(self, name: str, x: Layer, rate: float) -> Layer:
        """In training, 0 with probability `rate`, else x / (1 - rate) (Srivastava et al. 2014)."""
        return self._add(name, "dropout", (x,), dict(rate=rate), x.shape)

    def concat(self, name: str, *inputs: Layer) -> Layer:
        """The channels of all inputs, one after the other; images have one height and width."""
        channels = sum(x.shape[0] for x in inputs)
        return self._add(name, "concat", inputs, {}, (channels, *inputs[0].shape[1:]))

    def global_average_pool(self, name: str, x: Layer) -> Layer:
        """Mean over height and width: (channels, height, width) to (channels,)."""
        return self._add(name, "global_average_pool", (x,), {}, x.shape[:1])

    def dense(
        self,
        name: str,
        x: Layer,
        units: int,
        gain: float = HE_GAIN,
        initial: Optional[Starts] = None,
    ) -> Layer:
        """Fully connected layer with bias; applied to each token, or to an image flattened CHW."""
        is_sequence = len(x.shape) == 2
        features = x.shape[1] if is_sequence else size_of(x.shape)
        weights = affine(name, (units, features), gain, initial)
        shape = (x.shape[0], units) if is_sequence else (units,)
        return self._add(name, "dense", (x,), dict(units=units), shape, weights)

    def add(self, name: str, x: Layer, y: Layer) -> Layer:
        """Element-wise sum of two layers of one shape."""
        return self._add(name, "add", (x, y), {}, x.shape)

    def multiply(self, name: str, x: Layer, factors: Layer) -> Layer:
        """An image times a factor for each channel; the factors are a vector."""
        return self._add(name, "multiply", (x, factors), {}, x.shape)

    @property
    def has_small_images(self) -> bool:
        """Whether the images are so small that networks use their form for small images."""
        return max(self.input.shape[1:]) <= SMALL_IMAGE

    @property
    def weights(self) -> List[Weight]:
        """All weights, in the order of the layers; each once, if several layers have it."""
        weights = (weight for layer in self.layers for weight in layer.weights)
        return list({weight.name: weight for weight in weights}.values())

    @property
    def trainable(self) -> List[Weight]:
        """The weights that training changes: all but running statistics."""
        return [weight for weight in self.weights if weight.role in TRAINABLE_ROLES]

    @property
    def parameter_count(self) -> int:
        """The number of trainable scalars."""
        return sum(size_of(weight.shape) for weight in self.trainable)

    @property
    def has_dropout(self) -> bool:
        """Whether any layer is dropout."""
        return any(layer.kind == "dropout" for layer in self.layers)

    @property
    def token_count(self) -> int:
        """The number of values of the input; in text these are the tokens."""
        return size_of(self.input.shape)

    def check_tokens(self) -> None:
        """Raise WrongShape unless the last layer gives logits of the vocabulary for each token."""
        end, vocabulary = self.layers[-1], self.classes
        if self.input.shape[:2] != (1, 1):
            raise WrongShape(
                f"a language model reads images of one row, not {text_of(self.input.shape)}"
            )
        if vocabulary < BYTES:
            raise WrongShape(
                f"a language model's vocabulary has the {BYTES} bytes at least, not {vocabulary}"
            )
        if end.shape != (self.token_count, vocabulary):
            raise WrongShape(
                f"layer {end.name}, the last one, gives {text_of(end.shape)}; a language model's "
                f"logits are {text_of((self.token_count, vocabulary))}"
            )

    def check_end(self) -> None:
        """Raise WrongShape unless the last layer gives a vector with a value for each class."""
        end = self.layers[-1]
        if end.shape != (self.classes,):
            raise WrongShape(
                f"layer {end.name}, the last one, gives {text_of(end.shape)}; logits are a vector "
                f"of the {self.classes} classes, as {', '.join(VECTOR_KINDS)} can give"
            )

    def without_dropout(self) -> "Network":
        """The network without its dropout layers. The proof compares this network."""
        plain = Network(self.input.shape, self.classes)
        replaced: Dict[str, str] = {}
        for layer in self.layers[1:]:
            inputs = tuple(replaced.get(name, name) for name in layer.inputs)
            if layer.kind == "dropout":
                replaced[layer.name] = inputs[0]
            else:
                plain.layers.append(layer._replace(inputs=inputs))
        return plain

    def _add(
        self,
        name: str,
        kind: str,
        inputs: Sequence[Layer],
        settings: Dict[str, Any],
        shape: Sequence[int],
        weights: Sequence[Weight] = (),
    ) -> Layer:
        rank, ranks = len(inputs[0].shape), RANKS.get(kind, (3,))
        if rank not in ranks:
            needed = " or ".join(RANK_NAMES[rank] for rank in ranks)
            raise WrongShape(f"layer {name} is a {kind} of {needed}, it gets {RANK_NAMES[rank]}")
        names = tuple(layer.name for layer in inputs)
        layer = Layer(name, kind, names, settings, tuple(shape), tuple(weights))
        self.layers.append(layer)
        return layer
