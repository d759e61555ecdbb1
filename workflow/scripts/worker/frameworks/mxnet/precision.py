"""Precisions in MXNet: automatic mixed precision, which starts before a symbol is made.

It lasts for the process: every later symbol has casts before operators of a narrow type.
"""

import json
from functools import partial
from pathlib import Path
from typing import List

import numpy
from mxnet import sym

from worker import events, precisions
from worker.frameworks.mxnet.layers import KINDS, ByRole, attention, global_average_pool
from worker.frameworks.mxnet.releases import RELEASE
from worker.job import Job
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds

PRODUCTS = ("Convolution", "FullyConnected", "RNN")
CPU_NEEDS = "avx512bw"  # for oneDNN's bfloat16


def begin(job: Job) -> Kinds:
    """Start the job's precision; return the layers for it.

    Raises events.Unsupported where the processor lacks the instructions for bfloat16.
    """
    if job.precision not in precisions.HALF:
        return KINDS
    if job.precision == "bfloat16" and CPU_NEEDS not in Path("/proc/cpuinfo").read_text():
        raise events.Unsupported("MXNet's oneDNN needs AVX-512 for bfloat16, which this CPU lacks")
    if RELEASE < (1, 5):
        raise events.Unsupported("MXNet computes in other types than float32 from 1.5 on")
    from mxnet.contrib import amp

    amp.init(job.precision)
    return dict(
        KINDS,
        concat=widest_concat,
        global_average_pool=exact_average_pool,
        attention=partial(attention, numbers_of=numbers_like),
    )


def exact_average_pool(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """The pooling in float32: MXNet 1.9.1 has none in bfloat16 (unknown type enum 12)."""
    return global_average_pool(layer, weights, sym.amp_cast(x, dtype="float32"))


def widest_concat(layer: Layer, weights: ByRole, *inputs: sym.Symbol) -> sym.Symbol:
    """The inputs beside each other, in the widest of their types, as amp has it in float16."""
    alike = sym.amp_multicast(*inputs, num_outputs=len(inputs))
    return KINDS["concat"](layer, weights, *alike)


def numbers_like(tokens: int, x: sym.Symbol) -> sym.Symbol:
    """The numbers of tokens (tokens,) by a symbol (n, tokens, size): amp fails on sym.arange().

    Raises events.Unsupported before 1.6.
    """
    if RELEASE < (1, 6):
        raise events.Unsupported("causal attention: MXNet has it in narrow types from 1.6 on")
    return sym.contrib.arange_like(sym.amp_cast(x, dtype="float32"), axis=1)


def types_of_products(symbol: sym.Symbol) -> List[str]:
    """The output types of a symbol's convolutions and products, as MXNet infers them, sorted."""
    nodes = json.loads(symbol.tojson())["nodes"]
    products = {node["name"] + "_output" for node in nodes if node["op"] in PRODUCTS}
    internals = symbol.get_internals()
    _, types, _ = internals.infer_type(images="float32")
    outputs = zip(internals.list_outputs(), types)
    return sorted({name_of(numpy.dtype(type)) for name, type in outputs if name in products})


def name_of(type: numpy.dtype) -> str:
    """NumPy's name of a type; MXNet's bfloat16 is a structure with one field of that name."""
    return str(type.names[0] if type.names else type)
