"""What libraries have to be told of a processor that is younger than they are.

Before its release 2020.1, MKL uses SSE alone on processors that aren't Intel's, at half the speed.
An OpenBLAS that doesn't know a processor takes the kernels of one from 2007: NumPy's, which the
worker has loaded, shows whether those of its age do. Each library reads its variable when it is
loaded. The option `processor_hints: false`, which all adapters have, leaves the libraries as they
came.

oneDNN 2.4, which MXNet 1.9 has, is older than processors with AMX. It multiplies bfloat16 by AMX
only where it is told to; convolutions then take a third of the time.

From 2.9 on TensorFlow computes by oneDNN, but only on processors with AVX512_VNNI or AMX; its
option `use_onednn`, "on" or "off", decides it for all releases from 2.5 on.
"""

import os
import re
import sys
from pathlib import Path
from typing import Dict, Iterable, Mapping, Tuple

from worker import support
from worker.job import Job
from worker.libraries import openblas, tiles
from worker.libraries.inventory import packages

MKL, OPENBLAS = {"MKL_DEBUG_CPU_TYPE": "5"}, {"OPENBLAS_CORETYPE": "Haswell"}
OPENBLAS_AVX512 = {"OPENBLAS_CORETYPE": "SkylakeX"}
AVX512 = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
OPENBLAS_FALLBACK = "Prescott"
"""The core whose kernels OpenBLAS takes on processors that it doesn't know."""
AMX = {"DNNL_MAX_CPU_ISA": "AVX512_CORE_AMX"}
AMX_FLAG = "amx_bf16"
AMX_PACKAGE, AMX_FROM, AMX_BEFORE = "mxnet", (1, 9), (2, 0)
"""The package with that oneDNN: from which release, before which release."""
ONEDNN = {"on": {"TF_ENABLE_ONEDNN_OPTS": "1"}, "off": {"TF_ENABLE_ONEDNN_OPTS": "0"}}
ONEDNN_VALUES = ("default", *ONEDNN)
"""The values of the option `use_onednn`."""
OLD_LIBRARIES = {
    "cntk": ((2, 0), (3, 0), MKL),
    "cntk-gpu": ((2, 0), (3, 0), MKL),
    "mxnet": ((1, 0), (1, 9), OPENBLAS),
    # By AVX2, 1.0.0 computes wrong gradients of ResNet-20: their norm is off by 0.15.
    "mxnet-mkl": ((1, 2), (1, 7), {**MKL, **OPENBLAS}),
    "torch": ((1, 0), (2, 0), MKL),
}
"""Packages with such libraries: from which release, before which release, and the variables."""


def current() -> Dict[str, str]:
    """The values of these variables in this process, for processes on other machines."""
    names = [name for variables in (MKL, OPENBLAS, AMX, ONEDNN["on"]) for name in variables]
    return {name: os.environ[name] for name in names if name in os.environ}


def set_as_leader(variables: Mapping[str, str]) -> None:
    """Set the leader's variables (`current`); that of AMX only where Linux allows its use here."""
    is_refused = AMX.items() <= variables.items() and not tiles.request()
    refused = AMX if is_refused else {}
    os.environ.update({name: value for name, value in variables.items() if name not in refused})


def set_variables(job: Job) -> Dict[str, str]:
    """Set the variables that the libraries of this environment need; return them."""
    variables: Dict[str, str] = {}
    if job.options.get(support.PROCESSOR_HINTS, True):
        cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        versions, loaded = packages(sys.path), openblas.configurations().values()
        variables.update(hints(versions, cpuinfo, loaded))
        if (
            job.precision == "bfloat16"
            and must_be_told_of_amx(versions, cpuinfo)
            and tiles.request()
        ):
            variables.update(AMX)
    variables.update(ONEDNN.get(str(job.options.get("use_onednn")), {}))
    os.environ.update(variables)
    return variables


def hints(versions: Mapping[str, str], cpuinfo: str, loaded: Iterable[str]) -> Dict[str, str]:
    """The variables for packages by name and version, on a processor by its /proc/cpuinfo.

    `loaded` are the configurations of the OpenBLAS libraries in this process.
    """
    flags = set(cpuinfo.split())
    if "avx2" not in flags:
        return {}
    variables: Dict[str, str] = {}
    if any(OPENBLAS_FALLBACK in configuration.split() for configuration in loaded):
        variables.update(OPENBLAS_AVX512 if flags >= AVX512 else OPENBLAS)
    for name, (first, end, needed) in OLD_LIBRARIES.items():
        if name in versions and first <= _numbers(versions[name]) < end:
            variables.update(needed)
    if "GenuineIntel" in cpuinfo:
        variables = {name: value for name, value in variables.items() if name not in MKL}
    return variables


def must_be_told_of_amx(versions: Mapping[str, str], cpuinfo: str) -> bool:
    """Whether one of these packages, versions by name, uses the processor's AMX only if told."""
    version = _numbers(versions.get(AMX_PACKAGE, "0"))
    return AMX_FLAG in cpuinfo.split() and AMX_FROM <= version < AMX_BEFORE


def _numbers(version: str) -> Tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])
