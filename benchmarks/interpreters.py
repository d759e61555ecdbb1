"""Which Python a benchmark runs a framework in, and with which environment variables."""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

REPOSITORY = Path(__file__).parents[1]


class Interpreter(NamedTuple):
    """A framework's Python, and the variables that its environment asks for."""

    python: str
    variables: dict[str, str]


def framework_interpreter(environment: str) -> Interpreter | None:
    """The built environment's, or $TRAINMARK_<ENVIRONMENT>_PYTHON as it is, or None."""
    lock = REPOSITORY / "results" / "environments" / f"{environment}.json"
    installed: dict[str, Any] = {"status": "not built"}
    if lock.is_file():
        installed = json.loads(lock.read_text())
    if installed["status"] == "available":
        return Interpreter(str(REPOSITORY / installed["interpreter"]), installed["variables"])
    named = os.environ.get(f"TRAINMARK_{environment.upper().replace('-', '_')}_PYTHON")
    return Interpreter(named, dict(os.environ)) if named else None


def framework_python(environment: str) -> str | None:
    """Its Python alone."""
    interpreter = framework_interpreter(environment)
    return interpreter and interpreter.python
