"""Writing files atomically: complete or not at all."""

import json
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
