"""The version of the MKL in this process, and the instruction set that it uses."""

import ctypes
import os
from pathlib import Path
from typing import Dict


def use_avx2() -> Dict[str, str]:
    """Make MKL use AVX2 where the CPU has it; return the environment variables that were set.

    Before its release 2020.1, MKL uses SSE alone on CPUs that aren't Intel's, at half the speed. It
    reads the variable at its first use, so call this before.
    """
    variables = variables_for(Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    os.environ.update(variables)
    return variables


def variables_for(cpuinfo: str) -> Dict[str, str]:
    """The variables for a CPU, by its /proc/cpuinfo: one where MKL would not use its AVX2."""
    misses_avx2 = "GenuineIntel" not in cpuinfo and "avx2" in cpuinfo.split()
    return {"MKL_DEBUG_CPU_TYPE": "5"} if misses_avx2 else {}


def version(library: str) -> str:
    """The version of the MKL in a loaded library, by the library's name or path."""
    text = ctypes.create_string_buffer(200)
    ctypes.CDLL(library).MKL_Get_Version_String(text, len(text))
    return text.value.decode().strip()
