"""ViT-B/16: twelve transformer blocks over patches of 16x16 pixels and a class token.

Images up to 64 pixels get patches of 4x4 pixels and the widths of ViT-Ti, 192 features and three
heads, as is usual for CIFAR. Blocks normalise before attention and before their dense layers.
"""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words, table 1"
PUBLISHED = {"3x224x224-1000": 86567656}
PUBLISHED_MULTIPLY_ADDS = {"3x224x224-1000": 17.564e9}

BLOCKS = 12
HEAD = 64  # features of a head


def define(net: Network) -> Layer:
    """Patches, twelve blocks, normalisation, and a dense layer of the class token."""
    features, kernel = (192, 4) if net.has_small_images else (768, 16)
    x = net.patch_tokens("patches", net.input, features, kernel)
    for number in range(1, BLOCKS + 1):
        x = attend(net, f"block{number}/attention", x)
        x = transform(net, f"block{number}/dense", x)
    x = net.first_token("class_token", net.layer_norm("norm", x))
    return net.dense("dense", x, net.classes, gain=1)


def attend(net: Network, name: str, x: Layer) -> Layer:
    """Attention of all tokens to each other, added to them."""
    features = x.shape[1]
    y = net.dense(name + "/in", net.layer_norm(name + "/norm", x), 3 * features, gain=1)
    y = net.attention(name + "/heads", y, features // HEAD)
    return net.add(name + "/add", x, net.dense(name + "/out", y, features, gain=1))


def transform(net: Network, name: str, x: Layer) -> Layer:
    """Two dense layers of each token, four times as wide between them, added to it."""
    features = x.shape[1]
    y = net.dense(name + "/in", net.layer_norm(name + "/norm", x), 4 * features, gain=1)
    y = net.dense(name + "/out", net.gelu(name + "/gelu", y), features, gain=1)
    return net.add(name + "/add", x, y)
