"""Parts of MXNet that releases from 1.0 on lack."""

from typing import Any, Dict

import mxnet
from mxnet import nd, sym

from worker.events import Unsupported
from worker.job import Job

RELEASE = tuple(int(number) for number in mxnet.__version__.split(".")[:2])
STATIC = {"static_alloc": True, "static_shape": True} if RELEASE >= (1, 3) else {}
"""What hybridize() takes for memory that is allocated once."""


def fused(job: Job) -> Dict[str, Any]:
    """What hybridize() takes for layers that oneDNN fuses, as MXNet's guide to oneDNN has it.

    Raises Unsupported in other stages than infer, on GPUs and before 1.7.
    """
    if job.stage != "infer" or job.device_kind != "cpu":
        raise Unsupported("option fuse is for stage infer on processors")
    if RELEASE < (1, 7):
        raise Unsupported("option fuse: MXNet has it from 1.7 on")
    return {"backend": "MKLDNN", **STATIC}


def layer_norm(x: sym.Symbol, scale: sym.Symbol, shift: sym.Symbol, epsilon: float) -> sym.Symbol:
    """Normalisation over the last axis.

    Raises Unsupported before 1.2.
    """
    if RELEASE < (1, 2):
        raise Unsupported("layer_norm: MXNet has it from 1.2 on")
    return sym.LayerNorm(x, scale, shift, eps=epsilon)


def gelu(x: sym.Symbol) -> sym.Symbol:
    """GELU, in 1.4 by the error function.

    Raises Unsupported before 1.4.
    """
    if RELEASE < (1, 4):
        raise Unsupported("gelu: MXNet has its error function from 1.4 on")
    if RELEASE < (1, 5):
        return 0.5 * x * (1 + sym.erf(x * 0.5**0.5))
    return sym.LeakyReLU(x, act_type="gelu")


class Scalar:
    """An array of one value that float() takes and waits for, as an array of 1.6 is."""

    def __init__(self, array: nd.NDArray) -> None:
        self.array = array

    def __float__(self) -> float:
        """Wait for the value."""
        return float(self.array.asscalar())


def scalar(array: nd.NDArray) -> Any:
    """An array of one value, as what float() can convert."""
    return array.as_np_ndarray() if RELEASE >= (1, 6) else Scalar(array)


def features() -> Dict[str, bool]:
    """The features that MXNet was built with, which it tells from 1.6 on."""
    if RELEASE < (1, 6):
        return {}
    return {feature.name: feature.enabled for feature in mxnet.runtime.Features().values()}
