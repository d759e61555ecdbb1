"""A long short-term memory that classifies text: an embedding, 128 units, and their last output.

Of the size of Keras's example for film reviews, with bytes for words, and without its dropout. Its
gates have sigmoids and start without a bias, and logits of all classes are the output.
"""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "Hochreiter and Schmidhuber 1997, Long Short-Term Memory; the size of Keras's imdb_lstm.py"
# That example's 131,584 of its LSTM, a table of 256 rows, and a dense layer of two classes.
PUBLISHED = {"1x1x80-2": 164610}
READS_TEXT = True

FEATURES = 128


def define(net: Network) -> Layer:
    """Bytes to classes."""
    x = net.embedding("bytes", net.input, FEATURES)
    x = net.last_token("last", net.lstm("lstm", x, FEATURES))
    return net.dense("dense", x, net.classes, gain=1)
