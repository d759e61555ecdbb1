"""Precisions in MXNet: its own automatic mixed precision, begun before a symbol is made.

It stays for the process: every later symbol has casts before what it computes in a narrow type.
"""

import json
from pathlib import Path
from typing import List

import numpy
from mxnet import sym
from mxnet.contrib import amp

from worker import events, precisions
from worker.frameworks.mxnet.layers import KINDS, ByRole, global_average_pool
from worker.job import Job
from worker.networks.neutral.builder import Layer
from worker.networks.neutral.forward import Kinds

PRODUCTS = ("Convolution", "FullyConnected", "RNN")
CPU_NEEDS = "avx512bw"  # for oneDNN's bfloat16


def begin(job: Job) -> Kinds:
    """Switch the job's precision on; return the layers for it.

    Raises events.Unsupported where the processor lacks what bfloat16 needs.
    """
    if job.precision not in precisions.HALF:
        return KINDS
    if job.precision == "bfloat16" and CPU_NEEDS not in Path("/proc/cpuinfo").read_text():
        raise events.Unsupported("MXNet's oneDNN needs AVX-512 for bfloat16, which this CPU lacks")
    amp.init(job.precision)
    return dict(KINDS, global_average_pool=exact_average_pool)


def exact_average_pool(layer: Layer, weights: ByRole, x: sym.Symbol) -> sym.Symbol:
    """In float32: for bfloat16, MXNet 1.9.1 has none (unknown type enum 12)."""
    return global_average_pool(layer, weights, sym.amp_cast(x, dtype="float32"))


def types_of_products(symbol: sym.Symbol) -> List[str]:
    """The types that a symbol's convolutions and products give, as MXNet infers them, sorted."""
    nodes = json.loads(symbol.tojson())["nodes"]
    products = {node["name"] + "_output" for node in nodes if node["op"] in PRODUCTS}
    inside = symbol.get_internals()
    _, types, _ = inside.infer_type(images="float32")
    found = {t for name, t in zip(inside.list_outputs(), types) if name in products}
    return sorted(name_of(numpy.dtype(each)) for each in found)


def name_of(type: numpy.dtype) -> str:
    """NumPy's name; MXNet's bfloat16 is a structure of that one field."""
    return str(type.names[0] if type.names else type)
