"""Layers of text as Caffe2's own operators, which MKL-DNN doesn't have.

The loop over tokens is unrolled in the net. Caffe2's RecurrentNetwork runs the same operators as a
net for each token, over blobs that its helpers name and initialise.
"""

from functools import partial
from typing import Dict, List

from caffe2.proto import caffe2_pb2
from caffe2.python.core import BlobReference as Blob

from worker.arrays import Shape
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds

ByRole = Dict[str, str]
"""The names of a layer's blobs of weights, by role."""


def embedding(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """A row of the table for each byte."""
    net, name = x.Net(), layer.name
    flat = net.FlattenToVec(x, name + "/flat")
    numbers = net.Cast(flat, name + "/numbers", to=caffe2_pb2.TensorProto.INT32)
    rows = net.Gather([weights["table"], numbers], name + "/rows")
    return net.Reshape(rows, [name, name + "/shape"], shape=[-1, *layer.shape])[0]


def lstm(layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """Token by token, after one product of the kernel and all tokens."""
    net, name = x.Net(), layer.name
    product = [x, weights["kernel"], weights["bias"]]
    by_tokens = net.FC(product, name + "/by_tokens", axis=2)
    names = [f"{name}/{number}" for number in range(layer.shape[0])]
    parts = net.Split(by_tokens, [token + "/by_token" for token in names], axis=1)
    outputs: List[Blob] = []
    cell = None  # cell and output are 0 at first
    for token, part in zip(names, parts):
        gates = net.Squeeze(part, token + "/by_input", dims=[1])
        if outputs:
            recurrent = [outputs[-1], weights["recurrent"]]
            by_output = net.MatMul(recurrent, token + "/by_output", trans_b=1)
            gates = net.Add([gates, by_output], token + "/gates")
        i, f, g, o = net.Split(gates, [f"{token}/{gate}" for gate in "ifgo"], axis=1)
        i, f, o = (net.Sigmoid(gate, f"{gate}/sigmoid") for gate in (i, f, o))
        cell = cell or net.ConstantFill([f], name + "/start", value=0.0)
        new = net.Mul([i, net.Tanh(g, token + "/tanh")], token + "/new")
        cell = net.Add([net.Mul([f, cell], token + "/kept"), new], token + "/cell")
        outputs.append(net.Mul([o, net.Tanh(cell, token + "/squashed")], token + "/output"))
    return net.Concat(outputs, [name, name + "/sizes"], axis=1, add_axis=1)[0]


def last_token(shapes: Dict[str, Shape], layer: Layer, weights: ByRole, x: Blob) -> Blob:
    """The last token of each image."""
    tokens, _ = shapes[layer.inputs[0]]
    starts, ends = [0, tokens - 1, 0], [-1, tokens, -1]  # -1 is the end
    part = x.Net().Slice(x, layer.name + "/slice", starts=starts, ends=ends)
    return x.Net().Squeeze(part, layer.name, dims=[1])


def kinds(shapes: Dict[str, Shape]) -> Kinds:
    """The kinds of layers of a network whose layers have these shapes."""
    return {"embedding": embedding, "lstm": lstm, "last_token": partial(last_token, shapes)}
