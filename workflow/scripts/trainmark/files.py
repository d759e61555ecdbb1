"""Writing files atomically, complete or not at all; and reading JSON strictly."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_json(content: Mapping[str, Any], path: Path) -> None:
    """Write JSON so that the file is whole or absent, whatever happens meanwhile."""
    write_text(json.dumps(content, indent=2) + "\n", path)


def write_text(text: str, path: Path) -> None:
    """Write a text file whole or not at all, and have it on the disk on return."""
    temporary = path.with_name(f".{path.name}.part")
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)


def strict_json(text: bytes) -> Any:
    """The value of a JSON text; raises ValueError also for NaN and for numbers beyond float64."""
    return json.loads(text, parse_constant=_refuse, parse_float=_finite)


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse(text)
