"""Which programs a benchmark runs a framework by, and with which environment variables."""

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from places import ROOT


class Interpreter(NamedTuple):
    """A framework's Python or another program of it, and the variables that it needs."""

    python: str
    variables: dict[str, str]


def framework_interpreter(environment: str) -> Interpreter | None:
    """The built environment's, or None."""
    lock = ROOT / "results" / "environments" / f"{environment}.json"
    if not lock.is_file():
        return None
    installed: dict[str, Any] = json.loads(lock.read_text())
    if installed["status"] != "available":
        return None
    return Interpreter(str(ROOT / installed["interpreter"]), installed["variables"])


def caffe_tool(name: str) -> Interpreter | None:
    """One of Caffe's programs, the built environment's, else the one on PATH, or None."""
    caffe = framework_interpreter("caffe")
    if caffe is not None:
        installed = Path(caffe.python).parents[1] / "debian" / "usr" / "bin" / name
        if installed.is_file():
            return caffe._replace(python=str(installed))
    on_path = shutil.which(name)
    return Interpreter(on_path, {}) if on_path else None
