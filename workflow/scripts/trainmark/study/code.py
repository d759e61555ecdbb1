"""The code that a run, a reference or a conversion executes, as one digest.

They depend on this digest rather than on the files: a workflow of thousands of runs would check
each file once for each run, and a file that is touched but not changed changes nothing.
"""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from trainmark.study import datasets, plugins
from worker import devices

WORKER = plugins.SCRIPTS / "worker"
RUN_SETTINGS = ("adapter", "device", "network", "stage")
DATA = plugins.SCRIPTS / "trainmark" / "data"


@cache
def of_run(adapter: str, device: str, network: str, stage: str) -> str:
    """The runner, adapter, network and stage, and what they import of the worker."""
    framework = f"frameworks.{adapter}"
    modules = ["run", f"{framework}.adapter", f"networks.{network}", f"stages.{stage}"]
    if devices.parts(device)[1] > 1:
        modules.append(f"{framework}.devices")
    return _digest(_closure("worker", *modules))


@cache
def of_reference(network: str) -> str:
    """What computes the parity reference of a network."""
    return _digest(_closure("worker", "proof.reference", f"networks.{network}"))


@cache
def of_conversion(dataset: str, format_name: str) -> str:
    """What reads a data set, what writes a format, and what they import of the data room."""
    reader = f"datasets.{datasets.facts(dataset).plugin}"
    return _digest(_closure("trainmark.data", "convert", reader, f"formats.{format_name}"))


def _closure(top: str, *modules: str) -> set[Path]:
    """The files of some of the modules of `top` and of all they import of it, and so on."""
    found: set[Path] = set()
    waiting = [path for module in modules for path in _files(f"{top}.{module}")]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [file for name in _imported(path) for file in _files(name)]
    return found


def _imported(path: Path) -> Iterator[str]:
    """Dotted names of what a file imports: modules, and what is imported from them."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files(name: str) -> Iterator[Path]:
    """The files behind a dotted name, packages included, where they can be part of a digest."""
    for top, folder in (("worker", WORKER), ("trainmark.data", DATA)):
        if name.startswith(f"{top}."):
            parts = name.removeprefix(f"{top}.").split(".")
            for depth in range(1, len(parts) + 1):
                place = folder.joinpath(*parts[:depth])
                candidates = (place.with_suffix(".py"), place / "__init__.py")
                yield from (path for path in candidates if path.exists())


def _digest(files: set[Path]) -> str:
    """SHA-256 over the files' contents, as hexadecimal digits."""
    found = hashlib.sha256()
    for path in sorted(files):
        found.update(path.read_bytes())
    return found.hexdigest()
