"""The layers as operators of Caffe2, for neutral.forward: a blob adds them to its net.

On CPUs the operators are MKL-DNN's, which store blobs in their own layouts and don't all convert
them.
"""

from functools import partial
from typing import Any, Dict, List, Tuple

from caffe2.proto import caffe2_pb2
from caffe2.python import core
from caffe2.python.core import BlobReference as Blob

from worker.arrays import Shape
from worker.frameworks.caffe2 import recurrent
from worker.networks.neutral.builder import BATCH_NORM_ROLES, Layer, Network
from worker.networks.neutral.forward import Kinds, lacking

ByRole = Dict[str, str]
"""The names of a layer's blobs of weights, by role."""

CHANNELS_OF_A_BLOCK = 16  # of MKL-DNN's layouts; 8 on processors without AVX-512


def conv(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Convolution with or without bias, in groups.

    MKL-DNN's gradient of a depthwise kernel is wrong from 8 channels on where a stride leaves
    padding unused. Such a convolution is computed at every position; a pooling selects its outputs.
    """
    inputs, settings = of_conv(layer, weights)
    is_depthwise = layer.weights[0].shape[1] == 1 < layer.settings["groups"]
    if not (is_depthwise and layer.settings["stride"] > 1):
        return x.Conv(inputs, layer.name, training_mode=1, **settings)
    everywhere = layer.name + "/everywhere"
    y = x.Conv(inputs, everywhere, training_mode=1, **dict(settings, stride=1))
    return y.MaxPool([], layer.name, kernel=1, stride=layer.settings["stride"])


def conv_once_reordered(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Convolution whose kernel MKL-DNN brings into its own layout in the first call alone."""
    inputs, settings = of_conv(layer, weights)
    return x.Conv(inputs, layer.name, training_mode=0, **settings)


def of_conv(layer: Layer, weights: ByRole) -> Tuple[List[str], Dict[str, Any]]:
    """A convolution's blobs of weights, and its arguments."""
    inputs = [weights[role] for role in ("kernel", "bias") if role in weights]
    return inputs, dict(window(layer), group=layer.settings["groups"], no_bias=len(inputs) == 1)


def relu6(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """relu(x) - relu(x - 6), as MKL-DNN has no gradient of clipping."""
    net, name = x.Net(), layer.name + "/excess"
    six = net.ConstantFill([x], name + "/minus_six", value=-6.0)
    excess = net.Relu(net.Add([x, six], name + "/any"), name)
    negative = net.Scale(excess, name + "/negative", scale=-1.0)
    return net.Add([net.Relu(x, layer.name + "/relu"), negative], layer.name)


def sigmoid(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """1 / 2 + tanh(x / 2) / 2: MKL-DNN's own sigmoid has a wrong gradient."""
    net, name = x.Net(), layer.name
    tanh = net.Tanh(net.Scale(x, name + "/half", scale=0.5), name + "/tanh")
    centred = net.Scale(tanh, name + "/centred", scale=0.5)
    return net.Add([centred, net.ConstantFill([x], name + "/middle", value=0.5)], name)


def silu(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """The product x * sigmoid(x), by tanh: x / 2 + x / 2 * tanh(x / 2)."""
    net, name = x.Net(), layer.name
    half = net.Scale(x, name + "/half", scale=0.5)
    product = net.Mul([half, net.Tanh(half, name + "/tanh")], name + "/product")
    return net.Add([half, product], name)


def max_pool(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Maximum over windows, padded at the bottom and the right for the last windows.

    MKL-DNN gives the gradient to the first of equal maxima, Caffe2's own operator to all of them.
    """
    return x.MaxPool([], layer.name, **window(layer))


def average_pool(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Mean over windows, of their pixels within the image."""
    return x.AveragePool([], layer.name, **window(layer))


def batch_norm_training(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Batch normalisation by the batch's statistics, which move the running ones in place.

    The running variance moves by the unbiased one in cuDNN and in Caffe2's own operators.
    """
    _, _, mean, variance = inputs = [weights[role] for role in BATCH_NORM_ROLES]
    saved = [layer.name + "/saved_mean", layer.name + "/saved_deviation"]
    settings = {name: layer.settings[name] for name in ("epsilon", "momentum")}
    outputs = [layer.name, mean, variance, *saved]
    return x.SpatialBN(inputs, outputs, is_test=0, **settings)[0]


def batch_norm_training_on_cpu(batch_size: int, layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Batch normalisation in training by MKL-DNN, which tracks the population variance.

    The running variance is scaled before and after, so that it moves by the unbiased one.
    """
    variance, net = weights["running_variance"], x.Net()
    count = batch_size * layer.shape[1] * layer.shape[2]
    net.Scale(variance, variance, scale=(count - 1) / count)
    y = batch_norm_training(layer, weights, x)
    net.Scale(variance, variance, scale=count / (count - 1))
    return y


def batch_norm_evaluation(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Batch normalisation by the running statistics."""
    inputs = [weights[role] for role in BATCH_NORM_ROLES]
    return x.SpatialBN(inputs, layer.name, is_test=1, epsilon=layer.settings["epsilon"])


def lrn(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Local response normalisation; Caffe2, too, divides alpha by the size.

    MKL-DNN assumes that the gradient has the layout of x, which a pooling of 1x1 ensures.
    """
    outputs = [layer.name + "/any_layout", layer.name + "/scale"]
    y = x.LRN([], outputs, bias=1.0, **layer.settings)[0]
    return y.MaxPool([], layer.name, kernel=1)


def lrn_in_any_layout(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Local response normalisation without a gradient."""
    return x.LRN([], [layer.name, layer.name + "/scale"], bias=1.0, **layer.settings)[0]


def dropout(
    batch_size: int, host: caffe2_pb2.DeviceOption, layer: Layer, weights: ByRole, x: Blob
) -> Blob:
    """Random zeros, by a mask that dropout makes of ones on the host.

    MKL-DNN's dropout is seeded by the clock's second, so that masks within a second are equal.
    """
    net, mask = x.Net(), layer.name + "/mask"
    with core.DeviceScope(host):
        ones = net.ConstantFill([], mask + "/ones", shape=[batch_size, *layer.shape], value=1.0)
        outputs = [mask + "/drawn", mask + "/kept"]
        drawn, _ = net.Dropout(ones, outputs, ratio=layer.settings["rate"], is_test=0)
    return x.Mul([net.StopGradient(drawn, mask)], layer.name)


def concat(shapes: Dict[str, Shape], layer: Layer, weights: ByRole, *inputs: Blob) -> Blob:
    """Concatenation of channels; MKL-DNN joins blobs in plain layout or of full blocks."""
    net = inputs[0].Net()
    if any(shapes[name][0] % CHANNELS_OF_A_BLOCK for name in layer.inputs):
        names = [f"{layer.name}/input{number}" for number in range(len(inputs))]
        inputs = tuple(plain(net, x, name) for x, name in zip(inputs, names))
    return net.Concat(inputs, [layer.name, layer.name + "/sizes"], axis=1)[0]


def global_average_pool(shapes: Dict[str, Shape], layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Mean over height and width.

    The kernel is explicit, as MKL-DNN has no gradient of Caffe2's global_pooling.
    """
    kernels = shapes[layer.inputs[0]][1:]
    return x.AveragePool([], layer.name + "/axes", kernels=kernels).Flatten([], layer.name)


def dense(
    shapes: Dict[str, Shape], training_mode: int, layer: Layer, weights: ByRole, x: Blob
) -> Blob:
    """Affine map of an image, flattened channels first, or of each token.

    In training mode 0 MKL-DNN brings the kernel into its own layout in the first call alone.
    """
    is_sequence = len(shapes[layer.inputs[0]]) == 2
    settings = dict(training_mode=training_mode, axis=2 if is_sequence else 1)
    return x.FC([weights["kernel"], weights["bias"]], layer.name, **settings)


def plain(net: core.Net, x: Blob, name: str) -> Blob:
    """A copy in plain layout, as its gradient is; all but MKL-DNN's operators use that layout."""
    return net.Scale(x, name, scale=1.0)


def window(layer: Layer) -> Dict[str, Any]:
    """Kernel, stride and padding on the four sides as Caffe2's arguments."""
    kernel, stride = layer.settings["kernel"], layer.settings["stride"]
    padding = layer.settings.get("padding", 0)
    rows, columns = layer.settings.get("overhang", (0, 0))
    pads = dict(pad_t=padding, pad_l=padding, pad_b=padding + rows, pad_r=padding + columns)
    return dict(pads, kernel=kernel, stride=stride)


def evaluation(network: Network) -> Kinds:
    """The kinds of layers of a net that predicts with weights that change, or has a gradient."""
    shapes = {layer.name: layer.shape for layer in network.layers}
    return dict(
        KINDS,
        **recurrent.kinds(shapes),
        concat=partial(concat, shapes),
        global_average_pool=partial(global_average_pool, shapes),
        dense=partial(dense, shapes, 1),
    )


def prediction(network: Network) -> Kinds:
    """The kinds of layers of a net that predicts, which is created anew for other weights."""
    shapes = {layer.name: layer.shape for layer in network.layers}
    return dict(
        evaluation(network),
        conv=conv_once_reordered,
        dense=partial(dense, shapes, 0),
        lrn=lrn_in_any_layout,
    )


def training(network: Network, batch_size: int, host: caffe2_pb2.DeviceOption) -> Kinds:
    """The kinds of layers of a net that trains on batches of that size.

    `host` is the device option of the device that draws random numbers: of a GPU, or of the CPU.
    """
    batch_norm = batch_norm_training
    if host.device_type == caffe2_pb2.CPU:
        batch_norm = partial(batch_norm_training_on_cpu, batch_size)
    return dict(
        evaluation(network),
        batch_norm=batch_norm,
        dropout=partial(dropout, batch_size, host),
    )


# For the kinds that a transformer may begin with, so that the error has the reason.
no_transformer = lacking("Caffe2 has no GELU, and its MKL-DNN no layer normalisation")

KINDS: Kinds = {
    "conv": conv,
    "batch_norm": batch_norm_evaluation,
    "relu": lambda layer, weights, x: x.Relu([], layer.name),
    "relu6": relu6,
    "silu": silu,
    "sigmoid": sigmoid,
    "tanh": lambda layer, weights, x: x.Tanh([], layer.name),
    "max_pool": max_pool,
    "average_pool": average_pool,
    "lrn": lrn,
    "dropout": lambda layer, weights, x: x,
    "add": lambda layer, weights, x, y: x.Add([y], layer.name),
    "patch_tokens": no_transformer,
    "unembedding": no_transformer,
    "positions": no_transformer,
    "multiply": lambda layer, weights, x, y: x.Mul([y], layer.name, broadcast=1, axis=0),
}
