"""An OpenBLAS that Theano can link: that of the wheel scipy-openblas32, under its usual names.

The wheel's functions have `scipy_` before their names. So lib/libopenblas.so is made
of functions that jump to those of the wheel, which it brings along.

Source: https://github.com/MacPython/openblas-libs.
"""

import re
import tempfile
from pathlib import Path

from trainmark.environments.commands import require_programs, run

JUMP = ".globl {name}\n.type {name}, @function\n{name}: jmp *scipy_{name}@GOTPCREL(%rip)\n"
NO_EXECUTABLE_STACK = '.section .note.GNU-stack,"",@progbits\n'


def build(python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
    """Make lib/libopenblas.so, and have Theano compile what its import needs; needs no variables.

    Raises Unavailable, also where g++, nm or Python's headers are missing.
    """
    require_programs("g++", "nm")
    (wheel,) = folder.glob("lib/python*/site-packages/scipy_openblas32/lib/libscipy_openblas.so")
    make_library(wheel, folder / "lib" / "libopenblas.so")
    flags = {"THEANO_FLAGS": f"base_compiledir={folder.resolve() / 'theano-cache'}"}
    trial = (python, "-I", "-c", "import theano")
    run(trial, "Theano can't compile with g++ here", variables=flags)
    return {}


def make_library(prefixed: Path, library: Path) -> None:
    """Link a library with the functions of another one, in a folder below, without their prefix."""
    failure = f"{library.name} can't be made for Theano"
    defined = run(["nm", "-D", "--defined-only", prefixed], failure)
    path = f"-rpath,$ORIGIN/{prefixed.parent.relative_to(library.parent)}"
    with tempfile.NamedTemporaryFile("w", suffix=".s", encoding="utf-8") as jumps:
        jumps.write(source(defined))
        jumps.flush()
        options = f"-Wl,-soname,{library.name},{path}"
        run(["g++", "-shared", "-o", library, jumps.name, prefixed, options], failure)


def source(defined: str) -> str:
    """Assembler source of functions without the prefix, from nm's listing of those with it."""
    names = re.findall(r" T scipy_(\w+)$", defined, re.MULTILINE)
    return "".join(JUMP.format(name=name) for name in names) + NO_EXECUTABLE_STACK
