"""What an MKL in this process says of itself, and the instructions that it chooses."""

import ctypes
import os
from pathlib import Path

CPU_TYPE = "MKL_DEBUG_CPU_TYPE"
AVX2 = "5"


def use_avx2():
    """Have MKL use AVX2 where the CPU has it; give the environment variables that say so.

    Before its release 2020.1, MKL takes a CPU that is not Intel's for one with SSE alone, at half
    the speed. It reads the variable at its first use, so call this before.
    """
    if needs_cpu_type(Path("/proc/cpuinfo").read_text(encoding="utf-8")):
        os.environ[CPU_TYPE] = AVX2
    return {CPU_TYPE: os.environ.get(CPU_TYPE, "")}


def needs_cpu_type(cpuinfo):
    """Whether /proc/cpuinfo tells of a CPU with AVX2 that an old MKL doesn't expect to have it."""
    return "GenuineIntel" not in cpuinfo and "avx2" in cpuinfo.split()


def version(library):
    """The version of the MKL in a library that is loaded, by its name or path."""
    text = ctypes.create_string_buffer(200)
    ctypes.CDLL(library).MKL_Get_Version_String(text, len(text))
    return text.value.decode().strip()
