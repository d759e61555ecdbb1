"""The builder's layers of tokens, as transformers and recurrent networks have them."""

from abc import ABC, abstractmethod
from typing import Any, Dict, Sequence

from worker.networks.neutral.initial import constant, normal, scaled_normal
from worker.networks.neutral.layer import Layer, Weight, affine
from worker.networks.neutral.shapes import room, size_of

POSITION_DEVIATION = 0.02  # of their initial values: Dosovitskiy et al. 2020
BYTES = 256
"""How many values a byte has: the rows of an embedding's table."""


class TokenLayers(ABC):
    """Adds layers whose shapes are (tokens, features)."""

    def patch_tokens(
        self, name: str, x: Layer, features: int, kernel: int, gain: float = 1.0
    ) -> Layer:
        """A class token, and a token of each square patch of an image; learnt positions are added.

        Patches, `kernel` pixels a side, don't overlap, and go over to tokens as by a convolution.
        """
        rows, columns = (size // kernel + 1 for size in room(name, x.shape, kernel))
        shape = (1 + rows * columns, features)
        positions = scaled_normal(POSITION_DEVIATION**2 * features)
        weights = [
            Weight(name + "/class_token", (features,), "class_token", constant(0)),
            *affine(name, (features, x.shape[0], kernel, kernel), gain),
            Weight(name + "/positions", shape, "positions", positions),
        ]
        settings = dict(features=features, kernel=kernel)
        return self._add(name, "patch_tokens", (x,), settings, shape, weights)

    def embedding(self, name: str, x: Layer, features: int) -> Layer:
        """A token for each value of an image, which is a byte: that one's row of a learnt table.

        Values are in the order of the channels-first flattened image; text is an image of one row.
        """
        table = Weight(name + "/table", (BYTES, features), "table", normal(1))
        shape = (size_of(x.shape), features)
        return self._add(name, "embedding", (x,), dict(features=features), shape, [table])

    def positions(self, name: str, x: Layer) -> Layer:
        """Tokens with a learnt vector of its own added to each."""
        usual = normal(POSITION_DEVIATION)
        weights = [Weight(name + "/positions", x.shape, "positions", usual)]
        return self._add(name, "positions", (x,), {}, x.shape, weights)

    def lstm(self, name: str, x: Layer, units: int) -> Layer:
        """A long short-term memory (Hochreiter and Schmidhuber 1997): its output at each token.

        From the token x and the output h before it, both 0 at first, follow i, f, g and o, each of
        the units: their rows of kernel x + recurrent h + bias, in that order. The cell c becomes
        sigmoid(f) c + sigmoid(i) tanh(g), the output h sigmoid(o) tanh(c) (Gers et al. 2000).
        """
        tokens, features = x.shape
        usual = scaled_normal(1)
        kernel, bias = affine(name, (4 * units, features), gain=1)
        recurrent = Weight(name + "/recurrent", (4 * units, units), "recurrent", usual)
        weights = [kernel, recurrent, bias]
        return self._add(name, "lstm", (x,), dict(units=units), (tokens, units), weights)

    def layer_norm(self, name: str, x: Layer, epsilon: float = 1e-6) -> Layer:
        """Normalisation of each token over its features (Ba et al. 2016)."""
        weights = [
            Weight(name + "/scale", x.shape[-1:], "scale", constant(1)),
            Weight(name + "/shift", x.shape[-1:], "shift", constant(0)),
        ]
        return self._add(name, "layer_norm", (x,), dict(epsilon=epsilon), x.shape, weights)

    def gelu(self, name: str, x: Layer) -> Layer:
        """The exact x * (1 + erf(x / sqrt(2))) / 2 (Hendrycks and Gimpel 2016)."""
        return self._add(name, "gelu", (x,), {}, x.shape)

    def attention(self, name: str, x: Layer, heads: int) -> Layer:
        """Scaled dot-product attention of tokens that hold queries, keys and values, in that order.

        In each head of d features, softmax(q k^T / sqrt(d)) v (Vaswani et al. 2017). The products
        before and behind it are dense layers of tokens: frameworks fuse what is between.
        """
        tokens, features = x.shape
        return self._add(name, "attention", (x,), dict(heads=heads), (tokens, features // 3))

    def first_token(self, name: str, x: Layer) -> Layer:
        """The features of the first token, of patches the class token, as a vector."""
        return self._add(name, "first_token", (x,), {}, x.shape[1:])

    def last_token(self, name: str, x: Layer) -> Layer:
        """The features of the last token, behind an LSTM what it makes of all, as a vector."""
        return self._add(name, "last_token", (x,), {}, x.shape[1:])

    @abstractmethod
    def _add(
        self,
        name: str,
        kind: str,
        inputs: Sequence[Layer],
        settings: Dict[str, Any],
        shape: Sequence[int],
        weights: Sequence[Weight] = (),
    ) -> Layer:
        """Add a layer to the network; raises shapes.WrongShape."""
