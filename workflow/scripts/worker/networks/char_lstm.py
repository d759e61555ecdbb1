"""Char-RNN: two layers of 128 units that predict the next character.

With a learnt table of 128 features where it has one-hot characters, for bytes, and without dropout.
"""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "Karpathy 2015, https://github.com/karpathy/char-rnn, its defaults"
# Two layers of 131,584 weights, a table of 256 rows, and a dense layer of 256 bytes.
PUBLISHED = {"1x1x50-256": 328960}
READS_TEXT = True
LANGUAGE_MODEL = True

FEATURES = 128


def define(net: Network) -> Layer:
    """Tokens to logits of the next tokens."""
    x = net.embedding("tokens", net.input, FEATURES, net.classes)
    x = net.lstm("lstm2", net.lstm("lstm1", x, FEATURES), FEATURES)
    return net.dense("dense", x, net.classes, gain=1)
