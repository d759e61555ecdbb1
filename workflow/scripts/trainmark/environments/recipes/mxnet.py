"""Where MXNet's build for GPUs finds the CUDA libraries that pip's nvidia packages bring.

Its build for CPUs needs nothing.
"""

import os
from pathlib import Path

PROVIDES = ()


def build(python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
    """Make nothing; returns what the workers need."""
    return variables(folder)


def variables(folder: Path) -> dict[str, str]:
    """LD_LIBRARY_PATH where there are such packages."""
    libraries = sorted(folder.absolute().glob("lib/python*/site-packages/nvidia/*/lib"))
    path = os.pathsep.join(str(library) for library in libraries)
    return {"LD_LIBRARY_PATH": path} if path else {}
