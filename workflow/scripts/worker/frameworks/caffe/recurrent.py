"""Caffe's layers of text. Tokens are (tokens, n, features) here, as its LSTM takes them.

Caffe has no layer that transposes: a batch's bytes are cut into columns, which are then joined.
"""

from typing import Any, Callable, Dict, List

import numpy
from caffe.proto.caffe_pb2 import LayerParameter

from worker.arrays import Shape, Weights
from worker.networks.neutral.builder import Network

FIRST = dict(axis=0)
"""The axis of tokens."""


def embedding(image: Shape, features: int, rows: int) -> List[LayerParameter]:
    """A row of the table for each value."""
    tokens = int(numpy.prod(image))
    columns = [f"/column{number}" for number in range(tokens)]
    table = dict(input_dim=rows, num_output=features, bias_term=False)
    by_token = dict(shape=dict(dim=[tokens, -1, features]))
    return [
        part("Flatten", "/flat"),
        part("Slice", "/columns", tops=columns),
        part("Concat", "/bytes", concat_param=FIRST),
        LayerParameter(type="Embed", top=["/rows"], embed_param=table),
        LayerParameter(type="Reshape", name="/tokens", reshape_param=by_token),
    ]


def lstm(x: Shape, units: int) -> List[LayerParameter]:
    """Caffe's LSTM, which begins anew where an indicator is 0: only at the first token."""
    first, others = "/first", "/others"
    return [
        part("Split", "/copies", tops=["/x", "/any"]),
        part("Reduction", "/sums", ["/any"], reduction_param=dict(axis=2)),
        part("Slice", "/parts", tops=[first, others], slice_param=dict(FIRST, slice_point=[1])),
        part("Power", "/zeros", [first], power_param=dict(scale=0, shift=0)),
        part("Power", "/ones", [others], power_param=dict(scale=0, shift=1)),
        part("Concat", "/indicators", ["/zeros", "/ones"], concat_param=FIRST),
        LayerParameter(
            type="LSTM",
            bottom=["/x", "/indicators"],
            propagate_down=[True, False],
            recurrent_param=dict(num_output=units),
        ),
    ]


def dense_of_each_token(units: int) -> List[LayerParameter]:
    """An affine map of the axis of features alone."""
    settings = dict(num_output=units, axis=2)
    return [LayerParameter(type="InnerProduct", inner_product_param=settings)]


def last_token(x: Shape) -> List[LayerParameter]:
    """The last token, without the axis of tokens."""
    tokens, features = x
    cut = dict(FIRST, slice_point=[tokens - 1])
    vectors = dict(shape=dict(dim=[-1, features]))
    return [
        part("Slice", "/parts", tops=["/before", "/last"], slice_param=cut),
        LayerParameter(type="Reshape", name="/vector", bottom=["/last"], reshape_param=vectors),
    ]


def part(
    kind: str, name: str, bottoms: Any = (), tops: Any = (), **settings: Any
) -> LayerParameter:
    """One of the Caffe layers of a layer; by default its only top has its name."""
    return LayerParameter(type=kind, name=name, bottom=bottoms, top=tops or [name], **settings)


def in_gate_order(network: Network, arrays: Weights) -> Weights:
    """Arrays by name, those of an LSTM with the last two gates exchanged: Caffe has o before g.

    Two calls change nothing.
    """
    reordered = dict(arrays)
    for layer in network.layers:
        for weight in layer.weights if layer.kind == "lstm" else ():
            i, f, third, fourth = numpy.split(arrays[weight.name], 4)
            reordered[weight.name] = numpy.concatenate([i, f, fourth, third])
    return reordered


KINDS: Dict[str, Callable[..., List[LayerParameter]]] = {
    "embedding": embedding,
    "lstm": lstm,
    "last_token": last_token,
}
"""The function of each kind's Caffe layers, of the shape of its input and its settings."""
