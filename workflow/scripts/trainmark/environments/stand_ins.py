"""Stand-ins for libraries that a wheel links.

gcc makes them of functions that no run calls, which end the process and say their name, and of the
few that are called.
"""

import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path

from trainmark.environments.commands import require_programs, run

HEAD = """\
#include <stdio.h>
#include <stdlib.h>
static void *missing(const char *name) { fprintf(stderr, "%s: %s\\n", name, REASON); abort(); }
"""
# Weak, so that a function that works comes first. One name may be that of a variable, which isn't
# read without a GPU either.
FUNCTION = "__attribute__((weak)) void *{name}(void) {{ return {result}; }}\n"


def make(
    library: Path,
    names: Iterable[str],
    reason: str,
    version: str = "",
    idle: Collection[str] = (),
    others: Iterable[Path] = (),
) -> None:
    """Compile a library with functions of these names, of that version of the library's interface.

    reason: what a function prints behind its name. idle: those of the functions that do nothing.
    others: sources of functions that work, and libraries that this one brings along from its own
    folder. Raises Unavailable, also where gcc is missing.
    """
    with tempfile.TemporaryDirectory() as folder:
        file, versions = Path(folder, "functions.c"), Path(folder, "versions")
        functions = "".join(
            FUNCTION.format(name=name, result="0" if name in idle else f'missing("{name}")')
            for name in sorted(set(names))
        )
        file.write_text(f'#define REASON "{reason}"\n{HEAD}{functions}', encoding="utf-8")
        versions.write_text(f"{version} {{ global: *; }};\n", encoding="utf-8")
        link(library, "$ORIGIN", f"-Wl,--version-script={versions}", file, *others)


def link(library: Path, search_path: str, *arguments: str | Path) -> None:
    """Link a library that finds the libraries it brings along by a search path of its own."""
    require_programs("gcc")
    name, path = f"-Wl,-soname,{library.name}", f"-Wl,--no-as-needed,-rpath,{search_path}"
    options = ("-shared", "-fPIC", "-O2", "-std=gnu99", "-o", library, name, path)
    run(["gcc", *options, *arguments, "-ldl"], f"{library.name} can't be made")
