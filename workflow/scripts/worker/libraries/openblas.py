"""The configurations of the OpenBLAS libraries in this process.

An OpenBLAS older than the CPU may use the kernels of an older one, slowly; its core name shows it.
"""

import ctypes
from pathlib import Path
from typing import Dict

SYMBOLS = tuple(
    prefix + "openblas_get_config" + suffix for prefix in ("", "scipy_") for suffix in ("", "64_")
)


def configurations() -> Dict[str, str]:
    """Map the file name of each loaded OpenBLAS to its version, core name and limits."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    paths = {line.split(None, 5)[-1] for line in maps if "openblas" in line}
    return {Path(path).name: _configuration(ctypes.CDLL(path)) for path in sorted(paths)}


def _configuration(library: ctypes.CDLL) -> str:
    symbol = next(name for name in SYMBOLS if hasattr(library, name))
    get = getattr(library, symbol)
    get.restype = ctypes.c_char_p
    configuration: bytes = get()
    return configuration.decode()
