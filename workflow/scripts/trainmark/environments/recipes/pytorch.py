"""A torchvision that decodes images beside PyTorch's build for CPUs.

PyPI has torchvision's build for CUDA alone. What that asks of CUDA's part of PyTorch is called for
tensors on a GPU only, so a stand-in has every function, and ends the process and says its name
where one is called; CUDA's own libraries come with the wheel. The stand-ins lie beside these, and
LD_LIBRARY_PATH leads there: torchvision itself looks there for a part of them only.

Nothing is made where torchvision works as it is: beside a build of PyTorch for GPUs, or where the
machine's own sources have a torchvision for CPUs. Where none can be made, PyTorch trains all the
same, and Pillow decodes its image files (worker/input/readers/images.py).

Source: what the wheel's libraries leave undefined.
"""

import re
import sys
import tempfile
from pathlib import Path

from trainmark.environments import Unavailable
from trainmark.environments.commands import require_programs, run

PROVIDES = ()

STAND_INS = {"libc10_cuda.so": "3c104cuda", "libtorch_cuda.so": "2at4cuda"}
"""PyTorch's libraries for CUDA, by how C++ writes the namespace of their functions."""
HEAD = """\
#include <stdio.h>
#include <stdlib.h>
#define MISSING "torchvision needs %s of PyTorch's build for CUDA, of which this is a stand-in\\n"
static void missing(const char *name) { fprintf(stderr, MISSING, name); abort(); }
"""
# One name is that of a variable, which isn't read without a GPU either.
FUNCTION = 'void {name}(void) {{ missing("{name}"); }}\n'
TRIAL = "import torch, torchvision; torch.ops.image.decode_jpeg"
NOT_USED = "trainmark: PyTorch decodes images by Pillow, as torchvision can't be used: {reason}"


def build(python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
    """Make the stand-ins where torchvision needs them; returns where the workers find them."""
    try:
        return complete(python, folder.absolute())
    except Unavailable as reason:
        print(NOT_USED.format(reason=reason), file=sys.stderr)
        return {}


def complete(python: Path, folder: Path) -> dict[str, str]:
    """Make the stand-ins; raises Unavailable, also where torchvision, gcc or nm is missing."""
    package = next(folder.glob("lib/python*/site-packages/torchvision"), None)
    if package is None:
        raise Unavailable("it isn't installed")
    if package.with_name("torch").joinpath("lib", "libtorch_cuda.so").exists():
        return {}
    require_programs("gcc", "nm")
    failure = "its libraries can't be read"
    undefined = run(["nm", "-D", "--undefined-only", *package.glob("*.so")], failure)
    wanted = {name: functions(space, undefined) for name, space in STAND_INS.items()}
    if not any(wanted.values()):
        return {}
    libraries = package.with_name("torchvision.libs")
    for name, names in wanted.items():
        make(libraries / name, names)
    for runtime in libraries.glob("libcudart.*.so.*"):  # has a hash in its name
        (libraries / re.sub(r"\.\w+\.so", ".so", runtime.name)).symlink_to(runtime.name)
    variables = {"LD_LIBRARY_PATH": str(libraries)}
    run([python, "-I", "-c", TRIAL], "it can't be imported", variables=variables)
    return variables


def functions(namespace: str, undefined: str) -> list[str]:
    """The functions of a C++ namespace in a listing of undefined symbols."""
    return sorted(set(re.findall(rf"\bU (_ZNK?{namespace}\w+)", undefined)))


def make(library: Path, names: list[str]) -> None:
    """Compile a library with functions of these names; raises Unavailable."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "functions.c")
        source = HEAD + "".join(FUNCTION.format(name=name) for name in names)
        file.write_text(source, encoding="utf-8")
        options = ("-shared", "-fPIC", f"-Wl,-soname,{library.name}", "-o", library)
        run(["gcc", *options, file], f"{library.name} can't be made for it")
