"""Generation in MXNet: a symbol that reads prompts, and one that reads a token, in Gluon blocks.

A token's keys and values are outputs of its symbol, and are then written into the caches. A mask
hides the places of the caches that aren't written yet.
"""

from functools import partial
from typing import Any, Dict, List, Sequence, Tuple

from mxnet import gluon, nd, sym

from worker.frameworks.mxnet.layers import KINDS, LOWEST, ByRole, lstm_from, lstm_start, parts_of
from worker.frameworks.mxnet.releases import STATIC
from worker.job import Job
from worker.networks.neutral import stepwise
from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.forward import Kinds, forward

New = Dict[str, Sequence[sym.Symbol]]
"""Two outputs of each layer that keeps something, by its name: keys and values (n * heads, tokens,
size) of attention, output and cell (1, n, units) of an LSTM."""


class Generator:
    """Prefill and decode of a language model, on one device."""

    def __init__(self, job: Job, network: Network, parameters: Any, context: Any) -> None:
        self.context, self.token_count = context, network.token_count
        self.keeping = [layer for layer in network.layers if layer.kind in ("attention", "lstm")]
        self.kept: List[nd.NDArray] = []
        of_prompt, of_token = stepwise.of_job(job)
        self.prompt_tokens = of_prompt.token_count
        images, position, mask = map(variable, ("images", "position", "mask"))
        kept = [variable(f"kept{number}") for number in range(2 * len(self.keeping))]
        pairs: New = {layer.name: kept[2 * k : 2 * k + 2] for k, layer in enumerate(self.keeping)}
        token_kinds: Kinds = dict(
            attention=partial(_attention_of_token, pairs, mask),
            lstm=partial(_lstm_of_token, pairs),
            positions=partial(_positions_of_token, position),
        )
        prompt_kinds: Kinds = dict(
            attention=_attention_of_prompt, lstm=_lstm_of_prompt, positions=_positions_of_prompt
        )
        self.prompt = self._block(of_prompt, prompt_kinds, [images], parameters)
        self.token = self._block(of_token, token_kinds, [images, position, mask, *kept], parameters)

    def prefill(self, images: nd.NDArray) -> nd.NDArray:
        """Read the prompts of texts (n, 1, 1, tokens); the logits (n, vocabulary) after them."""
        prompts = nd.slice_axis(images, axis=3, begin=0, end=self.prompt_tokens)
        logits, *new = self.prompt(prompts)
        self.kept = [
            part if layer.kind == "lstm" else self._cache(part)
            for layer, part in self._of_layers(new)
        ]
        self.read = self.prompt_tokens
        return logits

    def decode(self, tokens: nd.NDArray) -> nd.NDArray:
        """Read a token (n,) of each text; the logits (n, vocabulary) after it."""
        hidden = [0.0] * self.read + [LOWEST] * (self.token_count - self.read)
        mask = nd.array(hidden, self.context).reshape((1, 1, -1))
        position = nd.array([self.read], self.context)
        images = tokens.reshape((-1, 1, 1, 1))
        logits, *new = self.token(images, position, mask, *self.kept)
        for number, (layer, part) in enumerate(self._of_layers(new)):
            if layer.kind == "lstm":
                self.kept[number] = part
            else:
                self.kept[number][:, self.read : self.read + 1] = part
        self.read += 1
        return logits

    def _of_layers(self, new: List[nd.NDArray]) -> List[Tuple[Layer, nd.NDArray]]:
        """Each of two outputs of each layer that keeps something, beside the layer."""
        return list(zip([layer for layer in self.keeping for _ in range(2)], new))

    def _cache(self, part: nd.NDArray) -> nd.NDArray:
        rows, count, size = part.shape
        missing = nd.zeros((rows, self.token_count - count, size), self.context)
        return nd.concat(part, missing, dim=1)

    def _block(
        self, network: Network, kinds: Kinds, inputs: List[sym.Symbol], parameters: Any
    ) -> gluon.SymbolBlock:
        """A block of a network, whose outputs are the logits and what its layers keep."""
        new: New = {}
        keeping = {kind: partial(kinds[kind], new) for kind in ("attention", "lstm")}
        values = {weight.name: variable(weight.name) for weight in network.weights}
        logits = forward(network, {**KINDS, **kinds, **keeping}, inputs[0], values)
        outputs = [part for layer in self.keeping for part in new[layer.name]]
        block = gluon.SymbolBlock(sym.Group([logits, *outputs]), inputs, parameters)
        block.hybridize(**STATIC)
        return block


def variable(name: str) -> sym.Symbol:
    """An input of a symbol."""
    return sym.var(name, dtype="float32")


def _attention_of_prompt(new: New, layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    _, *new[layer.name] = parts_of(layer, x)
    return KINDS["attention"](layer, weights, x)


def _attention_of_token(
    pairs: New, mask: sym.Symbol, new: New, layer: Layer, weights: ByRole, x: sym.Symbol
) -> sym.Symbol:
    """Attention of one token to all that are kept, and to itself."""
    query, key, value = parts_of(layer, x)
    new[layer.name] = key, value
    keys, values = pairs[layer.name]
    to_kept = sym.broadcast_add(sym.batch_dot(query, keys, transpose_b=True), mask)
    to_itself = sym.batch_dot(query, key, transpose_b=True)
    shares = sym.softmax(sym.concat(to_kept, to_itself, dim=2))
    of_kept = sym.slice_axis(shares, axis=2, begin=0, end=-1)
    of_itself = sym.slice_axis(shares, axis=2, begin=-1, end=None)
    y = sym.batch_dot(of_kept, values) + sym.broadcast_mul(of_itself, value)
    return sym.reshape(y, (-1, *layer.shape))


def _lstm_of_prompt(new: New, layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    y, *new[layer.name] = lstm_from(lstm_start(layer, weights, x), layer, weights, x)
    return y


def _lstm_of_token(
    pairs: New, new: New, layer: Layer, weights: ByRole, x: sym.Symbol
) -> sym.Symbol:
    y, *new[layer.name] = lstm_from(pairs[layer.name], layer, weights, x)
    return y


def _positions_of_prompt(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """The vectors of the first positions, added."""
    first = sym.slice_axis(weights["positions"], axis=0, begin=0, end=layer.shape[0])
    return sym.broadcast_add(x, first)


def _positions_of_token(
    position: sym.Symbol, layer: Layer, weights: ByRole, x: sym.Symbol
) -> sym.Symbol:
    """The vector of one position, added."""
    return sym.broadcast_add(x, sym.take(weights["positions"], position))
