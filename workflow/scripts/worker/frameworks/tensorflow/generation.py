"""Generation in TensorFlow: graphs of prefill and decode, with caches in variables."""

from functools import partial
from typing import Any, Callable, Dict, List, Tuple

import tensorflow as tf

from worker.frameworks.tensorflow.all_releases import ByRole
from worker.frameworks.tensorflow.layers import EVALUATION, block_lstm
from worker.job import Job
from worker.networks.neutral import stepwise
from worker.networks.neutral.builder import Layer, Network
from worker.networks.neutral.forward import Kinds, forward


class Generator:
    """Prefill and decode of a language model; `narrow` gives layers the job's precision.

    Attention keeps keys and values (n, heads, tokens, size), an LSTM its cell and output (n,
    units).
    """

    def __init__(
        self,
        job: Job,
        network: Network,
        values: Dict[str, tf.Variable],
        narrow: Callable[[Kinds], Kinds],
        narrow_type: tf.DType,
    ) -> None:
        self.values, self.narrow, self.batch_size = values, narrow, job.batch_size
        self.of_prompt, self.of_token = stepwise.of_job(job)
        self.prompt_tokens = self.of_prompt.token_count
        self.kept: Dict[str, List[tf.Variable]] = {
            layer.name: self._cache(layer, narrow_type)
            for layer in network.layers
            if layer.kind in ("attention", "lstm")
        }
        self.prefill = tf.function(self._prefill, autograph=False)
        self.decode = tf.function(self._decode, autograph=False)

    def _cache(self, layer: Layer, narrow_type: tf.DType) -> List[tf.Variable]:
        tokens, features = layer.shape
        if layer.kind == "lstm":  # whose operator is in float32
            return [tf.Variable(tf.zeros((self.batch_size, features))) for _ in range(2)]
        heads = layer.settings["heads"]
        shape = (self.batch_size, heads, tokens, features // heads)
        return [tf.Variable(tf.zeros(shape, narrow_type)) for _ in range(2)]

    def _prefill(self, images: tf.Tensor) -> Tuple[tf.Tensor, tf.Tensor]:
        lstms = [layer for layer in self.of_prompt.layers if layer.kind == "lstm"]
        for state in (state for layer in lstms for state in self.kept[layer.name]):
            state.assign(tf.zeros_like(state))
        return self._next(self.of_prompt, images[:, :, : self.prompt_tokens], tf.constant(0))

    def _decode(self, tokens: tf.Tensor, position: tf.Tensor) -> Tuple[tf.Tensor, tf.Tensor]:
        return self._next(self.of_token, tf.reshape(tokens, (-1, 1, 1, 1)), position)

    def _next(
        self, network: Network, images: tf.Tensor, read: tf.Tensor
    ) -> Tuple[tf.Tensor, tf.Tensor]:
        """The logits after some new tokens, and the next tokens; `read` tokens are kept."""
        kinds: Kinds = dict(
            EVALUATION,
            attention=partial(self._attention, read),
            lstm=self._lstm,
            positions=partial(positions, read),
        )
        logits = forward(network, self.narrow(kinds), images, dict(self.values))
        logits = tf.cast(logits, tf.float32)
        return logits, tf.argmax(logits, axis=-1)

    def _attention(self, read: tf.Tensor, layer: Layer, weights: ByRole, x: tf.Tensor) -> tf.Tensor:
        """Attention of new tokens to the kept ones and to themselves."""
        (count, features), heads = layer.shape, layer.settings["heads"]
        parts = tf.reshape(x, (-1, count, 3, heads, features // heads))
        query, *new = tf.unstack(tf.transpose(parts, (2, 0, 3, 1, 4)))
        end = read + count
        for variable, part in zip(self.kept[layer.name], new):
            variable[:, :, read:end].assign(part)
        if count > 1:  # a prompt, before which nothing is kept
            return EVALUATION["attention"](layer, weights, x)
        keys, values = self.kept[layer.name]
        scale = (features // heads) ** -0.5
        scores = tf.matmul(query * scale, keys, transpose_b=True)
        is_kept = tf.range(scores.shape[-1]) < end
        shares = tf.nn.softmax(tf.where(is_kept, scores, scores.dtype.min))
        y = tf.transpose(tf.matmul(shares, values), (0, 2, 1, 3))
        return tf.reshape(y, (-1, count, features))

    def _lstm(self, layer: Layer, weights: ByRole, x: tf.Tensor) -> tf.Tensor:
        """The outputs of new tokens, from the state after the earlier ones."""
        cell, output = self.kept[layer.name]
        result = block_lstm(layer, weights, x, cell, output)
        cell.assign(result.cs[-1])
        output.assign(result.h[-1])
        return tf.cast(tf.transpose(result.h, (1, 0, 2)), x.dtype)


def positions(first: tf.Tensor, layer: Layer, weights: ByRole, x: tf.Tensor) -> Any:
    """The vectors of the positions from `first` on, added."""
    return x + weights["positions"][first : first + layer.shape[0]]
