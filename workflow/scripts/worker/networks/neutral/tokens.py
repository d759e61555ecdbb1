"""The builder's layers of tokens, for transformers and recurrent networks."""

from abc import ABC, abstractmethod
from typing import Any, Dict, Sequence

from worker.networks.neutral.initial import constant, normal, scaled_normal
from worker.networks.neutral.layer import Layer, Weight, affine
from worker.networks.neutral.shapes import room, size_of

POSITION_DEVIATION = 0.02  # of their initial values: Dosovitskiy et al. 2020
BYTES = 256
"""The number of values of a byte: the usual rows of an embedding's table."""


class TokenLayers(ABC):
    """Adds layers whose shapes are (tokens, features)."""

    def patch_tokens(
        self, name: str, x: Layer, features: int, kernel: int, gain: float = 1.0
    ) -> Layer:
        """A class token and a token for each square patch of an image; learnt positions are added.

        Patches of `kernel` pixels a side don't overlap; a convolution makes tokens of them.
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

    def embedding(
        self, name: str, x: Layer, features: int, rows: int = BYTES, deviation: float = 1
    ) -> Layer:
        """A token for each value of an image, an integer below `rows`: its row of a learnt table.

        Tokens are in the order of the channels-first flattened image; text is an image of one row.
        deviation: the standard deviation of the table's usual values.
        """
        table = Weight(name + "/table", (rows, features), "table", normal(deviation))
        shape, settings = (size_of(x.shape), features), dict(features=features, rows=rows)
        return self._add(name, "embedding", (x,), settings, shape, [table])

    def unembedding(self, name: str, x: Layer, embedding: Layer) -> Layer:
        """The products of each token and all rows of an embedding's table (Press and Wolf 2017).

        Both layers have the table, which is one weight: its gradient is the sum of both.
        """
        (table,) = embedding.weights
        rows = table.shape[0]
        return self._add(name, "unembedding", (x,), dict(rows=rows), (x.shape[0], rows), [table])

    def positions(self, name: str, x: Layer) -> Layer:
        """Addition of a learnt vector to each token, another for each position."""
        usual = normal(POSITION_DEVIATION)
        weights = [Weight(name + "/positions", x.shape, "positions", usual)]
        return self._add(name, "positions", (x,), {}, x.shape, weights)

    def lstm(self, name: str, x: Layer, units: int) -> Layer:
        """A long short-term memory (Hochreiter and Schmidhuber 1997): its output at each token.

        The rows of kernel x + recurrent h + bias, for a token x and the output h at the one before,
        are the gates i, f, g and o in this order, `units` rows each. The cell c becomes
        sigmoid(f) c + sigmoid(i) tanh(g), the output h sigmoid(o) tanh(c) (Gers et al. 2000). Cell
        and output start from 0.
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

    def attention(self, name: str, x: Layer, heads: int, causal: bool = False) -> Layer:
        """Scaled dot-product attention; a token consists of query, key and value, in that order.

        In each head of d features, softmax(q k^T / sqrt(d)) v (Vaswani et al. 2017). Projections
        before and after it are dense layers: frameworks fuse what is between them. causal: a token
        attends to itself and to earlier tokens only.
        """
        tokens, features = x.shape
        settings = dict(heads=heads, causal=causal)
        return self._add(name, "attention", (x,), settings, (tokens, features // 3))

    def first_token(self, name: str, x: Layer) -> Layer:
        """The features of the first token as a vector; of patches that is the class token."""
        return self._add(name, "first_token", (x,), {}, x.shape[1:])

    def last_token(self, name: str, x: Layer) -> Layer:
        """The features of the last token as a vector; after an LSTM that is its final output."""
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
