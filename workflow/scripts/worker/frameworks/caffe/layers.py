"""The layers as Caffe's messages, the nets made of them, and the blobs of their weights.

Source: https://github.com/BVLC/caffe/blob/master/src/caffe/proto/caffe.proto.
"""

from typing import Callable, Dict, List, Sequence

import caffe
from caffe._caffe import Blob
from caffe.proto import caffe_pb2
from caffe.proto.caffe_pb2 import LayerParameter

from worker.events import Unsupported
from worker.frameworks.caffe import recurrent
from worker.networks.neutral.builder import RELU6_LEAST, Layer, Network
from worker.networks.neutral.forward import lacking, of_kind

# The blob of a weight: the suffix of its Caffe layer's name, and the blob's number.
BLOBS = {
    "kernel": ("", 0),
    "bias": ("", 1),
    "running_mean": ("", 0),
    "running_variance": ("", 1),
    "table": ("", 0),
    "recurrent": ("", 2),
    "scale": ("/scale", 0),
    "shift": ("/scale", 1),
}
STATISTICS_DIVISOR = 2  # the blob of a BatchNorm layer that divides its running statistics

# Kinds whose backward pass doesn't read their output.
OUTPUT_UNREAD = ("conv", "batch_norm", "dense", "add")
# Kinds that may overwrite their input, and the kinds of that input. The backward pass of a ReLU
# under a dropout only reads where its output is positive.
IN_PLACE = {
    "batch_norm": OUTPUT_UNREAD,
    "relu": OUTPUT_UNREAD,
    "dropout": (*OUTPUT_UNREAD, "relu"),
}


def net(network: Network, inputs: List[LayerParameter]) -> caffe_pb2.NetParameter:
    """A NetParameter of input layers, the network's layers, and the loss.

    The outputs of `inputs` are the blobs `images` and `labels`; that of the last layer is `loss`.
    """
    message = caffe_pb2.NetParameter(layer=inputs)
    blobs = {network.input.name: "images"}
    for layer in network.layers[1:]:
        bottoms = [blobs[name] for name in layer.inputs]
        top = blobs[layer.name] = bottoms[0] if in_place(layer, network) else layer.name
        for part in parts(layer, network):
            part.name = layer.name + part.name
            part.bottom[:] = [layer.name + suffix for suffix in part.bottom] or bottoms
            bottoms = [layer.name + suffix for suffix in part.top] or [top]
            part.top[:] = bottoms
            message.layer.append(part)
    loss = message.layer.add(name="loss", type="SoftmaxWithLoss", top=["loss"])
    loss.bottom[:] = [top, "labels"]
    loss.softmax_param.axis = -1
    return message


def parts(layer: Layer, network: Network) -> List[LayerParameter]:
    """The Caffe layers of a layer; names, bottoms and tops are suffixes of its name.

    A part without bottoms takes the outputs of the part before; one without tops gives the layer's
    output.
    """
    shapes = [other.shape for other in network.layers if other.name in layer.inputs]
    if layer.kind in recurrent.KINDS:
        return recurrent.KINDS[layer.kind](*shapes, **layer.settings)
    if layer.kind == "dense" and len(shapes[0]) == 2:
        return recurrent.dense_of_each_token(**layer.settings)
    return of_kind(KINDS, layer)(**layer.settings)


def in_place(layer: Layer, network: Network) -> bool:
    """Whether a layer may overwrite its input: no other layer reads it, forward or backward."""
    source = layer.inputs[0]
    kinds = {other.name: other.kind for other in network.layers}
    readers = [name for other in network.layers for name in other.inputs]
    return kinds[source] in IN_PLACE.get(layer.kind, ()) and readers.count(source) == 1


def blobs(net: caffe.Net, network: Network) -> Dict[str, Blob]:
    """Map the name of each weight to its blob in a caffe.Net."""
    by_name = {}
    for layer in network.layers:
        for weight in layer.weights:
            suffix, index = BLOBS[weight.role]
            by_name[weight.name] = net.params[layer.name + suffix][index]
    return by_name


def divisors(net: caffe.Net, network: Network) -> Dict[str, Blob]:
    """Map the name of each running statistic to the blob that it is divided by."""
    return {
        weight.name: net.params[layer.name][STATISTICS_DIVISOR]
        for layer in network.layers
        for weight in layer.weights
        if weight.role.startswith("running")
    }


def differentiate_by_images(message: caffe_pb2.NetParameter, network: Network) -> None:
    """Extend the backward pass of a network's net to the images.

    It computes the gradients of no weights but those of the layers that read the images: Caffe
    decides by weights alone which layers the pass reaches.
    """
    parts = {part.name: part for part in message.layer}
    for layer in network.layers[1:]:
        if network.input.name in layer.inputs:
            parts[layer.name].propagate_down.append(True)
            continue
        for weight in layer.weights:
            suffix, _ = BLOBS[weight.role]
            parts[layer.name + suffix].param.add(lr_mult=0)


def inputs(batch_size: int, network: Network) -> List[LayerParameter]:
    """Input layers, into whose blobs batches are copied.

    A language model's labels are (tokens, n), like its logits.
    """
    labels = [*network.layers[-1].shape[:-1], batch_size]
    shapes = {"images": [batch_size, *network.input.shape], "labels": labels}
    return [
        LayerParameter(name=name, type="Input", top=[name], input_param=dict(shape=[dict(dim=dim)]))
        for name, dim in shapes.items()
    ]


def conv(
    channels: int, kernel: int, stride: int, padding: int, bias: bool, groups: int
) -> List[LayerParameter]:
    """Convolution with or without bias."""
    window = dict(kernel_size=[kernel], stride=[stride], pad=[padding])
    settings = dict(window, num_output=channels, bias_term=bias, group=groups)
    return [LayerParameter(type="Convolution", convolution_param=settings)]


def batch_norm(epsilon: float, momentum: float) -> List[LayerParameter]:
    """Normalisation, which tracks unbiased variances, and the trained scale and shift."""
    settings = dict(eps=epsilon, moving_average_fraction=momentum)
    return [
        LayerParameter(type="BatchNorm", batch_norm_param=settings),
        LayerParameter(type="Scale", name="/scale", scale_param=dict(bias_term=True)),
    ]


def max_pool(
    kernel: int, stride: int, padding: int, overhang: Sequence[int]
) -> List[LayerParameter]:
    """Maximum over windows; without an overhang, partial windows are left out."""
    settings = caffe_pb2.PoolingParameter(kernel_size=kernel, stride=stride, pad=padding)
    if overhang == (0, 0):
        leave_out_partial_windows(settings)
    return [LayerParameter(type="Pooling", pooling_param=settings)]


def average_pool(kernel: int, stride: int, overhang: Sequence[int]) -> List[LayerParameter]:
    """Mean over windows; without an overhang, partial windows are left out."""
    settings = caffe_pb2.PoolingParameter(kernel_size=kernel, stride=stride)
    settings.pool = settings.AVE
    if overhang == (0, 0):
        leave_out_partial_windows(settings)
    return [LayerParameter(type="Pooling", pooling_param=settings)]


def leave_out_partial_windows(settings: caffe_pb2.PoolingParameter) -> None:
    """Set the rounding that leaves partial windows out; raises Unsupported where Caffe has none."""
    if not hasattr(settings, "round_mode"):
        raise Unsupported("this caffe always pools over partial windows: it has no round_mode")
    settings.round_mode = settings.FLOOR


def lrn(size: int, alpha: float, beta: float) -> List[LayerParameter]:
    """Local response normalisation, whose definition is Caffe's."""
    settings = dict(local_size=size, alpha=alpha, beta=beta)
    return [LayerParameter(type="LRN", lrn_param=settings)]


def global_average_pool() -> List[LayerParameter]:
    """Mean over height and width, without their axes; Flatten can't overwrite its input."""
    settings = dict(pool=caffe_pb2.PoolingParameter.AVE, global_pooling=True)
    return [
        LayerParameter(type="Pooling", name="/axes", top=["/axes"], pooling_param=settings),
        LayerParameter(type="Flatten"),
    ]


# For the kinds that a transformer may begin with, so that the error has the reason.
no_transformer = lacking(
    "Caffe has no layer that multiplies two blobs as matrices, so no attention"
)

KINDS: Dict[str, Callable[..., List[LayerParameter]]] = {
    "conv": conv,
    "batch_norm": batch_norm,
    "relu": lambda: [LayerParameter(type="ReLU")],
    "relu6": lambda: [LayerParameter(type="Clip", clip_param=dict(min=RELU6_LEAST, max=6))],
    "silu": lambda: [LayerParameter(type="Swish")],
    "sigmoid": lambda: [LayerParameter(type="Sigmoid")],
    "tanh": lambda: [LayerParameter(type="TanH")],
    "max_pool": max_pool,
    "average_pool": average_pool,
    "lrn": lrn,
    "dropout": lambda rate: [
        LayerParameter(type="Dropout", dropout_param=dict(dropout_ratio=rate))
    ],
    "concat": lambda: [LayerParameter(type="Concat")],
    "global_average_pool": global_average_pool,
    "dense": lambda units: [
        LayerParameter(type="InnerProduct", inner_product_param=dict(num_output=units))
    ],
    "add": lambda: [LayerParameter(type="Eltwise")],
    "patch_tokens": no_transformer,
    "unembedding": no_transformer,
    "positions": no_transformer,
    "multiply": lambda: [LayerParameter(type="Scale", scale_param=dict(axis=0))],
}
