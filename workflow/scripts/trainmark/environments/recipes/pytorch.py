"""A PyTorch and a torchvision that work without NVIDIA's libraries.

PyPI has torchvision's build for CUDA alone. What that asks of CUDA's part of PyTorch is called for
tensors on a GPU only, so a stand-in has every function; CUDA's own libraries come with the wheel.
The stand-ins lie beside these, and LD_LIBRARY_PATH leads there: torchvision itself looks there for
a part of them only. Nothing is made where torchvision works as it is: beside a build of PyTorch for
GPUs, or where the machine's own sources have a torchvision for CPUs. Where none can be made,
PyTorch trains all the same, and Pillow decodes its image files (worker/input/readers/images.py).

PyPI has PyTorch's build for CUDA alone, too, and from 1.13 on NVIDIA's libraries are packages of
their own, of some gigabytes. A release's lock leaves them out, except CUDA's runtime, with which
PyTorch registers its kernels when it is loaded. So the others have stand-ins beside its libraries,
and it trains on processors alone.

Source: what the wheels' libraries need and leave undefined.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from trainmark.environments import Unavailable, stand_ins
from trainmark.environments.commands import require_programs, run

OF_PYTORCH = {"libc10_cuda.so": "3c104cuda", "libtorch_cuda.so": "2at4cuda"}
"""PyTorch's libraries for CUDA, by how C++ writes the namespace of their functions."""
OF_NVIDIA = {
    "libcuda": "cu[A-Z]",
    "libcublas": "cublas",  # which may bring libcublasLt along
    "libcublasLt": "cublasLt",
    "libcudnn": "cudnn",
    "libcufft": "cufft",
    "libcufile": "cuFile",
    "libcupti": "cupti",
    "libcurand": "curand",
    "libcusolver": "cusolver",
    "libcusparse": "cusparse",
    "libcusparseLt": "cusparseLt",
    "libnccl": "nccl",
    "libnvToolsExt": "nvtx",
    "libnvrtc": "nvrtc",
    "libnvshmem_host": "nvshmem",
}
"""NVIDIA's libraries, by how the names of their functions begin that have no version."""
RUNTIME = "libcudart"
OF_THE_SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|util)\.so|ld-linux")
TRIAL = "import torch, torchvision; torch.ops.image.decode_jpeg"
NOT_USED = "trainmark: PyTorch decodes images by Pillow, as torchvision can't be used: {reason}"


def build(python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
    """Make the stand-ins that are needed; returns where the workers find torchvision's.

    Raises Unavailable where PyTorch needs some, and none can be made.
    """
    for libraries in folder.absolute().glob("lib/python*/site-packages/torch/lib"):
        complete_pytorch(libraries)
    try:
        return complete_torchvision(python, folder.absolute())
    except Unavailable as reason:
        print(NOT_USED.format(reason=reason), file=sys.stderr)
        return {}


def complete_pytorch(libraries: Path) -> None:
    """Make stand-ins for NVIDIA's libraries where PyTorch needs them and no package brings any.

    Raises Unavailable.
    """
    bundled_or_packaged = [libraries, *libraries.parents[1].glob("nvidia/*/lib")]
    has_products = any(any(folder.glob("libcublas*")) for folder in bundled_or_packaged)
    if has_products or not (libraries / "libtorch_cuda.so").exists():
        return
    require_programs("nm", "readelf")
    failure, files = "PyTorch's libraries can't be read", sorted(libraries.glob("*.so*"))
    dynamic = run(["readelf", "--dynamic", "--version-info", *files], failure)
    needed = set(re.findall(r"NEEDED.*\[(.+)\]", dynamic)) - {file.name for file in files}
    wanted = sorted(name for name in needed if not OF_THE_SYSTEM.match(name))
    undefined = run(["nm", "-D", "--undefined-only", *files], failure)
    for name in wanted:
        if name.startswith(RUNTIME):
            runtime = _runtime(libraries.parents[1], name)
            (libraries / name).symlink_to(os.path.relpath(runtime, libraries))
        else:
            version = version_of(name, dynamic)
            names = set(functions_of_nvidia(name, version, undefined))
            reason = f"a function of {name}, of which this is a stand-in"
            stand_ins.make(libraries / name, names, reason, version)


def _runtime(packages: Path, name: str) -> Path:
    for path in packages.glob(f"nvidia/*/lib/{name}"):
        return path
    raise Unavailable(f"the lock of PyTorch brings no {name}")


def version_of(library: str, dynamic: str) -> str:
    """The version that symbols of a library have, by readelf's listing; "" if they have none."""
    match = re.search(rf"File: {re.escape(library)}  Cnt: \d+\n.*Name: (\S+)", dynamic)
    return match[1] if match else ""


def functions_of_nvidia(library: str, version: str, undefined: str) -> Iterator[str]:
    """The functions of a library of NVIDIA's in a listing of undefined symbols."""
    if version:
        yield from re.findall(rf"\b[Uw] (\w+)@+{re.escape(version)}$", undefined, re.MULTILINE)
    if prefix := OF_NVIDIA.get(library.split(".so")[0]):
        yield from re.findall(rf"\bU ({prefix}\w+)$", undefined, re.MULTILINE)


def complete_torchvision(python: Path, folder: Path) -> dict[str, str]:
    """Make the stand-ins; raises Unavailable, also where torchvision, gcc or nm is missing."""
    package = next(folder.glob("lib/python*/site-packages/torchvision"), None)
    if package is None:
        raise Unavailable("it isn't installed")
    if package.with_name("torch").joinpath("lib", "libtorch_cuda.so").exists():
        return {}
    require_programs("gcc", "nm")
    failure = "its libraries can't be read"
    undefined = run(["nm", "-D", "--undefined-only", *package.glob("*.so")], failure)
    wanted = {name: functions(space, undefined) for name, space in OF_PYTORCH.items()}
    if not any(wanted.values()):
        return {}
    libraries = package.with_name("torchvision.libs")
    for name, names in wanted.items():
        reason = f"torchvision needs it of PyTorch's build for CUDA, of which {name} is a stand-in"
        stand_ins.make(libraries / name, names, reason)
    for runtime in libraries.glob(f"{RUNTIME}.*.so.*"):  # has a hash in its name
        (libraries / re.sub(r"\.\w+\.so", ".so", runtime.name)).symlink_to(runtime.name)
    variables = {"LD_LIBRARY_PATH": str(libraries)}
    run([python, "-I", "-c", TRIAL], "it can't be imported", variables=variables)
    return variables


def functions(namespace: str, undefined: str) -> list[str]:
    """The functions of a C++ namespace in a listing of undefined symbols."""
    return sorted(set(re.findall(rf"\bU (_ZNK?{namespace}\w+)", undefined)))
