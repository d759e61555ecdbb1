"""Parts of MXNet that releases from 1.0 on lack."""

from typing import Any, Dict

import mxnet
from mxnet import nd

RELEASE = tuple(int(number) for number in mxnet.__version__.split(".")[:2])
STATIC = {"static_alloc": True, "static_shape": True} if RELEASE >= (1, 3) else {}
"""What hybridize() takes for memory that is allocated once."""


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
