"""Which Python a benchmark runs a framework in, and with which environment variables."""

import json
from pathlib import Path
from typing import Any, NamedTuple

REPOSITORY = Path(__file__).parents[1]


class Interpreter(NamedTuple):
    """A framework's Python, and the variables that its environment asks for."""

    python: str
    variables: dict[str, str]


def framework_interpreter(environment: str) -> Interpreter | None:
    """The built environment's, or None."""
    lock = REPOSITORY / "results" / "environments" / f"{environment}.json"
    if not lock.is_file():
        return None
    installed: dict[str, Any] = json.loads(lock.read_text())
    if installed["status"] != "available":
        return None
    return Interpreter(str(REPOSITORY / installed["interpreter"]), installed["variables"])


def framework_python(environment: str) -> str | None:
    """Its Python alone."""
    interpreter = framework_interpreter(environment)
    return interpreter and interpreter.python
