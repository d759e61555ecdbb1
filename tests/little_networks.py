"""Little networks: each kind of layer that may be the last one, convolutions in groups, and others.

Each function adds its layers to a network behind a layer x.
"""

from worker.networks.families import densenet


def maps(net, x):
    """An image for each class, whose mean is a logit."""
    return net.conv("maps", x, net.classes, kernel=1)


def dense(net, x):
    """A logit for each class."""
    return net.dense("dense", x, net.classes)


def pooled(net, x):
    """The mean of each channel."""
    return net.global_average_pool("pooled", x)


def of_patches(net, x, features):
    """A class token, and a token for each of nine patches."""
    return net.patch_tokens("patches", x, features, kernel=4)


def attended(net, x):
    """Tokens of a logit for each class, which look at each other."""
    return net.attention("heads", net.dense("parts", x, 3 * net.classes), heads=2)


# By the kind of the last layer. A dropout of that rate keeps all, so that it can be compared.
ENDS = {
    "global_average_pool": lambda net, x: pooled(net, maps(net, x)),
    "first_token": lambda net, x: net.first_token("end", attended(net, of_patches(net, x, 12))),
    "last_token": lambda net, x: net.last_token("end", attended(net, of_patches(net, x, 12))),
    "dense": dense,
    "relu": lambda net, x: net.relu("end", dense(net, x)),
    "relu6": lambda net, x: net.relu6("end", dense(net, x)),
    "silu": lambda net, x: net.silu("end", dense(net, x)),
    "sigmoid": lambda net, x: net.sigmoid("end", dense(net, x)),
    "tanh": lambda net, x: net.tanh("end", dense(net, x)),
    "gelu": lambda net, x: net.gelu("end", dense(net, x)),
    "dropout": lambda net, x: net.dropout("end", pooled(net, maps(net, x)), rate=1e-9),
    "add": lambda net, x: net.add("end", dense(net, x), pooled(net, maps(net, x))),
    "concat": lambda net, x: net.concat(
        "end", net.dense("dense", x, net.classes - x.shape[0]), pooled(net, x)
    ),
}


def groups(net, x):
    """Convolutions in two groups and depthwise ones, which halve, keep, halve, and widen x.

    Of more channels than a vector register holds: libraries take other ways with fewer.
    """
    settings, channels = dict(kernel=3, padding=1), 32
    x = net.conv_relu("wide", x, channels, kernel=1)
    x = net.conv_relu("two_groups", x, channels, groups=2, stride=2, **settings)
    x = net.conv_relu("depthwise", x, channels, groups=channels, **settings)
    x = net.conv_relu("strided", x, channels, groups=channels, stride=2, **settings)
    x = net.conv_relu("widening", x, 2 * channels, groups=channels, stride=2, **settings)
    return dense(net, x)


def averages(net, x):
    """Means over windows that overlap, and that don't; both leave out the last pixels."""
    x = net.average_pool("overlapping", x, kernel=3, stride=2)
    x = net.conv_relu("between", x, 16, kernel=1)
    return dense(net, net.average_pool("apart", x, kernel=2, stride=2))


def partial_averages(net, x):
    """Means of windows that reach over the edge, with as much room as "SAME" has, and with less."""
    x = net.average_pool("same", x, kernel=3, stride=2, partial=True)
    x = net.conv_relu("between", x, 16, kernel=1)
    return dense(net, net.average_pool("large", x, kernel=5, stride=2, partial=True))


def squashed(net, x):
    """What may work in place behind layers whose gradients are computed from their outputs."""
    x = net.relu("positive", net.tanh("tanh", net.conv("wide", x, 16, kernel=1)))
    x = net.batch_norm("norm", net.tanh("normalised", net.conv("second", x, 16, kernel=1)))
    x = net.dropout("dropout", net.tanh("kept", net.conv("third", x, 16, kernel=1)), rate=1e-9)
    x = net.max_pool("halved", net.tanh("pooled", x), kernel=2, stride=2)
    return dense(net, net.relu("gates", net.sigmoid("sigmoid", net.conv("last", x, 16, kernel=1))))


def clipped(net, x):
    """ReLU6 of values beyond 6, of values within, and of zeros, where its gradient is 0."""
    x = net.relu6("beyond", net.conv("strong", x, 16, kernel=1, gain=200))
    x = net.relu6("zeros", net.conv("single", x, 16, kernel=1, groups=16, bias=False))
    return dense(net, x)


def gated(net, x):
    """Images weighed by channels, as a squeeze and excitation does."""
    x = net.silu("silu", net.conv("wide", x, 16, kernel=1))
    gate = net.sigmoid("gate", net.dense("gates", net.global_average_pool("means", x), 16))
    return dense(net, net.conv("behind", net.multiply("product", x, gate), 8, kernel=1))


def dense_blocks(net, x):
    """Two dense blocks and the transition between them, of few channels."""
    for number in (1, 2):
        x = densenet.dense_layer(net, f"block1/layer{number}", x, growth=16)
    x = densenet.transition(net, "transition", x)
    return dense(net, densenet.dense_layer(net, "block2/layer1", x, growth=16))


def tokens(net, x):
    """A transformer's block."""
    x = of_patches(net, x, 12)
    y = net.dense("parts", net.layer_norm("norm", x), 36)
    x = net.add("add", x, net.dense("out", net.attention("attention", y, heads=3), 12))
    return dense(net, net.first_token("first", net.gelu("gelu", net.dense("wide", x, 16))))


def recurrent(net, x):
    """Two LSTMs of which the second sees all outputs of the first, over tokens with positions."""
    x = net.positions("positions", of_patches(net, x, 12))
    x = net.lstm("second", net.lstm("first", x, 6), 10)
    return dense(net, net.last_token("last", x))


def between_recurrent(net, x):
    """A dense layer of each token, and its tanh, between two LSTMs over bytes."""
    x = net.lstm("first", net.embedding("bytes", x, 6), 5)
    x = net.lstm("second", net.tanh("squashed", net.dense("each", x, 7)), 6)
    return dense(net, net.last_token("last", x))


def decoder(net, x):
    """A transformer's block, each token of which sees earlier ones, and products by its table."""
    table = net.embedding("bytes", x, 6)
    x = net.positions("positions", table)
    y = net.dense("parts", net.layer_norm("norm", x), 18)
    x = net.add("add", x, net.attention("attention", y, heads=2, causal=True))
    return dense(net, net.last_token("last", net.unembedding("products", x, table)))


TEXTS = (between_recurrent, decoder)
"""Networks that read bytes."""
OTHERS = (
    groups,
    averages,
    partial_averages,
    squashed,
    clipped,
    gated,
    dense_blocks,
    tokens,
    recurrent,
    *TEXTS,
)
# By frameworks in which there can be no transformer, or no LSTM.
LACKED = ("first_token", "last_token", "gelu", "tokens", "recurrent", *(t.__name__ for t in TEXTS))
ALL = dict(ENDS, **{behind.__name__: behind for behind in OTHERS})


def define(net, behind):
    """The layers of one of these functions, behind a convolution and a pooling but for TEXTS."""
    x = net.input
    if behind not in TEXTS:
        x = net.max_pool("pool", net.conv_relu("conv", x, 4, kernel=5), kernel=2, stride=2)
    behind(net, x)
    net.check_end()
