"""Stand-ins for libraries that a wheel links and no run calls.

gcc makes them of functions that end the process and say their name.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from trainmark.environments.commands import require_programs, run

HEAD = """\
#include <stdio.h>
#include <stdlib.h>
static void missing(const char *name) { fprintf(stderr, "%s: %s\\n", name, REASON); abort(); }
"""
# One name may be that of a variable, which isn't read without a GPU either.
FUNCTION = 'void {name}(void) {{ missing("{name}"); }}\n'


def make(library: Path, names: Iterable[str], reason: str, version: str = "") -> None:
    """Compile a library with functions of these names, of that version of the library's interface.

    reason: what a function prints behind its name. Raises Unavailable, also where gcc is missing.
    """
    require_programs("gcc")
    with tempfile.TemporaryDirectory() as folder:
        file, versions = Path(folder, "functions.c"), Path(folder, "versions")
        functions = "".join(FUNCTION.format(name=name) for name in sorted(names))
        file.write_text(f'#define REASON "{reason}"\n{HEAD}{functions}', encoding="utf-8")
        versions.write_text(f"{version} {{ global: *; }};\n", encoding="utf-8")
        script = [f"-Wl,--version-script={versions}"] * bool(version)
        options = ["-shared", "-fPIC", f"-Wl,-soname,{library.name}", *script]
        run(["gcc", *options, "-o", library, file], f"{library.name} can't be made")
