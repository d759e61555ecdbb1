"""A small text transformer encoder: BERT-Mini's four blocks, on bytes instead of word pieces.

Blocks normalise behind their attention and behind their dense layers. The first token is classified
behind the pooler, a dense layer of it and tanh. There is one segment, so it has no embedding.
"""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "Turc et al. 2019, Well-Read Students Learn Better, table 1; Devlin et al. 2018, BERT"
# BERT-Mini's 11,170,560, less 30,522 - 256 rows of its table, 512 - 128 positions and two segments
# of 256 features each, and with 514 of a dense layer of two classes.
PUBLISHED = {"1x1x128-2": 3324162}
READS_TEXT = True

BLOCKS = 4
FEATURES = 256
HEADS = 4
EPSILON = 1e-12


def define(net: Network) -> Layer:
    """Embeddings, four blocks, the pooler, and a dense layer."""
    x = net.positions("positions", net.embedding("bytes", net.input, FEATURES))
    x = net.layer_norm("norm", x, EPSILON)
    for number in range(1, BLOCKS + 1):
        x = attend(net, f"block{number}/attention", x)
        x = transform(net, f"block{number}/dense", x)
    x = net.dense("pooler", net.first_token("first_token", x), FEATURES, gain=1)
    return net.dense("dense", net.tanh("pooler/tanh", x), net.classes, gain=1)


def attend(net: Network, name: str, x: Layer) -> Layer:
    """Attention of all tokens to each other, added to them and normalised."""
    y = net.dense(name + "/in", x, 3 * FEATURES, gain=1)
    y = net.dense(name + "/out", net.attention(name + "/heads", y, HEADS), FEATURES, gain=1)
    return net.layer_norm(name + "/norm", net.add(name + "/add", x, y), EPSILON)


def transform(net: Network, name: str, x: Layer) -> Layer:
    """Two dense layers of each token, four times as wide between them, added and normalised."""
    y = net.gelu(name + "/gelu", net.dense(name + "/in", x, 4 * FEATURES, gain=1))
    y = net.dense(name + "/out", y, FEATURES, gain=1)
    return net.layer_norm(name + "/norm", net.add(name + "/add", x, y), EPSILON)
