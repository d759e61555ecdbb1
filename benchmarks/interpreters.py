"""Which Python a benchmark runs a framework in."""

import json
import os
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]


def framework_python(environment: str) -> str | None:
    """The built environment's interpreter, or $TRAINMARK_<ENVIRONMENT>_PYTHON, or None."""
    lock = REPOSITORY / "results" / "environments" / f"{environment}.json"
    installed = json.loads(lock.read_text()) if lock.is_file() else {"status": "not built"}
    if installed["status"] == "available":
        return str(REPOSITORY / installed["interpreter"])
    return os.environ.get(f"TRAINMARK_{environment.upper()}_PYTHON")
