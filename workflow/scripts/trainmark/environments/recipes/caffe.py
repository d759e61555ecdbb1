"""Caffe 1.0 as Debian 11 packaged it, the last release of Debian to do so.

OpenBLAS comes from Debian 12: that of Debian 11 takes processors younger than itself for old ones.
Caffe's library wants Python's: the environment's own is put first, as another one would silently
become the interpreter of every worker.
"""

import os
from pathlib import Path

from trainmark.environments import Unavailable, debian
from trainmark.environments.commands import run

LOCK = "caffe.debian.lock"
LOCKS = (LOCK,)
LIBRARIES = (
    "lib",
    "debian/usr/lib/x86_64-linux-gnu/openblas-pthread",
    "debian/usr/lib/x86_64-linux-gnu",
    "debian/lib/x86_64-linux-gnu",
    "debian/usr/lib",
)
# Not sysconfig's INSTSONAME: conda's Python names a static library there, and has both.
WHERE_LIBRARY = (
    "import sysconfig; print('{}/libpython{}.so.1.0'.format("
    "*sysconfig.get_config_vars('LIBDIR', 'LDVERSION')))"
)
METADATA = "Metadata-Version: 2.1\nName: caffe\nVersion: {version}\n"


def build(python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
    """Unpack Caffe, and put its program, its module and Python's library where Python's are.

    Its workers need LD_LIBRARY_PATH. Raises Unavailable.
    """
    folder = folder.absolute()
    lock = lock_folder / LOCK
    link_python_library(python, folder / "lib")
    debian.install(lock, folder / "debian")
    (folder / "debian/usr/bin/caffe").rename(folder / "bin/caffe")
    add_module(folder, version(lock))
    variables = {"LD_LIBRARY_PATH": os.pathsep.join(str(folder / path) for path in LIBRARIES)}
    run([folder / "bin/caffe", "--version"], "caffe doesn't run", variables=variables)
    run([python, "-I", "-c", "import caffe"], "caffe can't be imported", variables=variables)
    return variables


def link_python_library(python: Path, folder: Path) -> None:
    """Link the interpreter's own shared library into a folder."""
    library = Path(run([python, "-I", "-c", WHERE_LIBRARY], f"{python} doesn't run").strip())
    if not library.is_file():
        raise Unavailable(
            f"Caffe needs a Python built with --enable-shared, and {python.resolve()} is none:"
            " install one, or run with --sdm conda"
        )
    (folder / library.name).symlink_to(library)


def add_module(folder: Path, version: str) -> None:
    """Move the module among the environment's own, compiled and known by its version."""
    (packages,) = folder.glob("lib/python*/site-packages")
    (folder / "debian/usr/lib/python3/dist-packages/caffe").rename(packages / "caffe")
    compile_all = ("-I", "-m", "compileall", "-q")
    run([folder / "bin/python", *compile_all, packages / "caffe"], "caffe can't be compiled")
    metadata = packages / f"caffe-{version}.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(METADATA.format(version=version), encoding="utf-8")


def version(lock: Path) -> str:
    """Caffe's own version, such as 1.0.0+git20180821.99bd997, from that of its package."""
    versions = {package.name: package.version for package in debian.read(lock)}
    return versions["caffe"].partition("-")[0]
