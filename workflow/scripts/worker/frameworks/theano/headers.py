"""The headers of all of Theano's modules, compiled once instead of in each module.

They would take g++ two fifths of its time. Where g++ can't use their compiled form, as its version
or its flags differ, it reads the headers.
"""

import os
import subprocess
from pathlib import Path

import numpy
import theano
from theano import config
from theano.gof.cmodule import GCC_compiler, std_include_dirs
from theano.gof.compilelock import lock_ctx

NAME = "theano_headers.h"
# Theano also compiles programs without a module's folders, to test the compiler.
TEXT = """\
#if __has_include("theano_mod_helper.h")
#include <Python.h>
#include <iostream>
#include "theano_mod_helper.h"
#include <math.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <vector>
#include <algorithm>
#endif
"""
# Theano's flags for all modules: g++ uses a compiled form only with the same flags.
MODULE_FLAGS = ("-shared", "-g", "-O3", "-fno-math-errno", "-fvisibility=hidden")


def use() -> None:
    """Have all modules that are compiled from now on begin with them.

    Raises subprocess.CalledProcessError where g++ can't compile them.
    """
    folder = Path(config.compiledir, f"headers-{theano.__version__}-{numpy.__version__}")
    if not (folder / NAME).exists():
        with lock_ctx():
            write(folder)
    os.environ["CPATH"] = str(folder)
    config.gcc.cxxflags += f" -include {NAME}"


def write(folder: Path) -> None:
    """Write their compiled forms, of which g++ uses the matching one, and then the headers."""
    if (folder / NAME).exists():  # another process had the lock before
        return
    compiled = folder / (NAME + ".gch")
    compiled.mkdir(parents=True, exist_ok=True)
    text = folder / "text.h"
    text.write_text(TEXT)
    includes = ["-I" + path for path in std_include_dirs() if path]
    flags = [*MODULE_FLAGS, *GCC_compiler.compile_args(), *includes]
    for variant in ("", "-fopenmp"):
        output = ["-x", "c++-header", str(text), "-o", str(compiled / f"headers{variant}")]
        subprocess.run([config.cxx, *flags, *variant.split(), *output], check=True)
    text.rename(folder / NAME)
