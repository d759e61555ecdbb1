"""A long short-term memory that classifies text: an embedding, 128 units, and their last output.

The form of Keras's and Theano's example of film reviews, with bytes for words.
"""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "Keras, examples/imdb_lstm.py (version 2.2); without its dropout, as CPUs' kernels have it"
# That example's 131,584 of its LSTM, a table of 256 rows, and a dense layer of two classes.
PUBLISHED = {"1x1x80-2": 164610}

FEATURES = 128


def define(net: Network) -> Layer:
    """Bytes to classes."""
    x = net.embedding("bytes", net.input, FEATURES)
    x = net.last_token("last", net.lstm("lstm", x, FEATURES))
    return net.dense("dense", x, net.classes, gain=1)
