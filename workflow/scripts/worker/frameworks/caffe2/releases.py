"""The library of Caffe2, which came with PyTorch 1.0 to 1.12, and what its releases lack."""

import ctypes
from pathlib import Path
from typing import Optional

from caffe2.proto import caffe2_pb2
from caffe2.python import core, workspace

TORCH = Path(workspace.__file__).parents[2] / "torch"
NAMES = ("libtorch_cpu.so", "libcaffe2.so", "libtorch.so")
"""Of the library that contains Caffe2: from 1.5 on, before 1.2, and else."""


def library() -> str:
    """The path of the library that contains Caffe2."""
    paths = [TORCH / "lib" / name for name in NAMES]
    return str(next(path for path in paths if path.exists()))


def mkl_dnn_version(loaded: ctypes.CDLL) -> Optional[str]:
    """The version of its MKL-DNN, which 1.1 to 1.4 tell."""
    if not hasattr(loaded, "mkldnn_version"):
        return None
    loaded.mkldnn_version.restype = ctypes.POINTER(ctypes.c_int)
    return ".".join(str(number) for number in loaded.mkldnn_version()[:3])


def has_loss(device: caffe2_pb2.DeviceOption) -> bool:
    """Whether a net can end with its loss on a device: 1.0 has none by MKL-DNN."""
    loss = core.CreateOperator("SoftmaxWithLoss", ["a", "b"], ["c", "d"], device_option=device)
    try:
        workspace.RunOperatorOnce(loss)
    except RuntimeError as error:  # always, as there are no inputs
        return "Cannot create operator" not in str(error)
    return True
