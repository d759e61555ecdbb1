"""Where MXNet finds libraries that its wheels need and other packages bring.

Its build for GPUs needs those of pip's nvidia packages. Releases up to 1.4 need the libgfortran of
their time, which numpy's wheel of that time has under a name of its own.
"""

import os
from pathlib import Path

OLD_FORTRAN = "libgfortran.so.3"


def build(python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
    """Name numpy's libgfortran as MXNet does; returns what the workers need."""
    for library in folder.glob("lib/python*/site-packages/numpy/.libs/libgfortran-*.so.3.0.0"):
        library.with_name(OLD_FORTRAN).symlink_to(library.name)
    return variables(folder)


def variables(folder: Path) -> dict[str, str]:
    """LD_LIBRARY_PATH where there are such libraries."""
    packages = "lib/python*/site-packages"
    folders = [
        *folder.absolute().glob(f"{packages}/nvidia/*/lib"),
        *(path.parent for path in folder.absolute().glob(f"{packages}/numpy/.libs/{OLD_FORTRAN}")),
    ]
    path = os.pathsep.join(str(each) for each in sorted(folders))
    return {"LD_LIBRARY_PATH": path} if path else {}
