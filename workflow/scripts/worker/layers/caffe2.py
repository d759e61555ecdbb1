"""The layers as operators of Caffe2, for worker.forward: a blob adds them to the net it is in."""

from functools import partial

from worker.network import BATCH_NORM_ROLES


def conv(layer, weights, x):
    """Convolution with or without bias, in groups."""
    inputs = [weights[role] for role in ("kernel", "bias") if role in weights]
    settings = dict(window(layer), group=layer.settings["groups"], no_bias=len(inputs) == 1)
    return x.Conv(inputs, layer.name, **settings)


def max_pool(layer, weights, x):
    """Maximum over windows, with room for the last ones over the bottom and the right edge.

    On CPUs, Caffe2 gives the gradient to all equal maxima of a window, not to the first alone.
    """
    return x.MaxPool([], layer.name, **window(layer))


def batch_norm_training(batch_size, layer, weights, x):
    """Batch normalisation by the batch's statistics, which move the running ones in place.

    Caffe2 tracks the population variance. Before and after, the running one is scaled such that it
    moves by the unbiased.
    """
    _, _, mean, variance = inputs = [weights[role] for role in BATCH_NORM_ROLES]
    saved = [layer.name + "/saved_mean", layer.name + "/saved_deviation"]
    settings = {name: layer.settings[name] for name in ("epsilon", "momentum")}
    count = batch_size * layer.shape[1] * layer.shape[2]
    x.Net().Scale(variance, variance, scale=(count - 1) / count)
    outputs = [layer.name, mean, variance, *saved]
    y = x.SpatialBN(inputs, outputs, is_test=0, **settings)[0]
    x.Net().Scale(variance, variance, scale=count / (count - 1))
    return y


def batch_norm_evaluation(layer, weights, x):
    """Batch normalisation by the running statistics."""
    inputs = [weights[role] for role in BATCH_NORM_ROLES]
    return x.SpatialBN(inputs, layer.name, is_test=1, epsilon=layer.settings["epsilon"])


def lrn(layer, weights, x):
    """Local response normalisation; Caffe2, too, divides alpha by the size."""
    return x.LRN([], [layer.name, layer.name + "/scale"], bias=1.0, **layer.settings)[0]


def dropout(layer, weights, x):
    """Zeros at random places."""
    outputs = [layer.name, layer.name + "/mask"]
    return x.Dropout([], outputs, ratio=layer.settings["rate"], is_test=0)[0]


def concat(layer, weights, x, *others):
    """Channels one after the other."""
    return x.Concat(list(others), [layer.name, layer.name + "/sizes"], axis=1)[0]


def global_average_pool(layer, weights, x):
    """Mean over height and width; their axes of size 1 stay, which a dense layer flattens."""
    return x.AveragePool([], layer.name, global_pooling=True)


def dense(layer, weights, x):
    """Affine map; Caffe2 flattens channels first."""
    return x.FC([weights["kernel"], weights["bias"]], layer.name)


def window(layer):
    """Kernel, stride and padding on the four sides, in Caffe2's words."""
    kernel, stride, padding = (layer.settings[name] for name in ("kernel", "stride", "padding"))
    rows, columns = layer.settings.get("overhang", (0, 0))
    pads = dict(pad_t=padding, pad_l=padding, pad_b=padding + rows, pad_r=padding + columns)
    return dict(pads, kernel=kernel, stride=stride)


def training(batch_size):
    """The kinds of layers of a net that trains on batches of that size."""
    return dict(EVALUATION, batch_norm=partial(batch_norm_training, batch_size), dropout=dropout)


EVALUATION = {
    "conv": conv,
    "batch_norm": batch_norm_evaluation,
    "relu": lambda layer, weights, x: x.Relu([], layer.name),
    "max_pool": max_pool,
    "lrn": lrn,
    "dropout": lambda layer, weights, x: x,
    "concat": concat,
    "global_average_pool": global_average_pool,
    "dense": dense,
    "add": lambda layer, weights, x, y: x.Add([y], layer.name),
}
