"""Writing files whole or not at all, their checksums, and JSON in which damage is noticed."""

import hashlib
import json
import math
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from trainmark.errors import TrainmarkError

DIGEST = "digest"
"""The name of a JSON object's digest in it."""


DAMAGED_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    RuntimeError,  # encrypted, or with a feature that zipfile lacks
    ValueError,
)
"""Errors that zipfile raises for the content of a damaged archive."""
BROKEN_ZIP = (*DAMAGED_ZIP, OSError)
"""Those, and errors of the file itself."""


class DamagedFile(TrainmarkError):
    """A file that a rule made, and that isn't as it was written; `damage` says what is wrong."""

    def __init__(self, path: Path, reason: object) -> None:
        self.damage = f"{path} is damaged ({' '.join(str(reason).split())})"
        super().__init__(f"{self.damage}: delete it, and give the same command again")


def write_json(content: Mapping[str, Any], path: Path) -> None:
    """Write JSON so that the file is whole or absent, whatever happens meanwhile."""
    write_text(json.dumps(content, indent=2) + "\n", path)


def write_text(text: str, path: Path) -> None:
    """Write a text file whole or not at all, and have it on the disk on return."""
    temporary = path.with_name(f".{path.name}.part")
    try:
        with temporary.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:  # a full disk's has no file name
        temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
    temporary.replace(path)


def file_digest(path: Path, algorithm: str = "sha256") -> str:
    """The checksum of a file as hexadecimal text."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """An object with the digest of itself, by which damage to it is noticed."""
    return {**content, DIGEST: digest_of(content)}


def digest_of(content: Mapping[str, Any]) -> str:
    """SHA-256 of an object without its own digest, as JSON with sorted keys."""
    rest = {name: value for name, value in content.items() if name != DIGEST}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def read_json(path: Path, *names: str) -> dict[str, Any]:
    """The object in a JSON file that a rule made, which has these names; without its digest.

    Earlier versions wrote none. Raises DamagedFile, which says how to have it made again, and
    OSError.
    """
    try:
        content = strict_json(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise DamagedFile(path, error) from error
    if not isinstance(content, dict):
        raise DamagedFile(path, "it is no object")
    if lacking := [name for name in names if name not in content]:
        raise DamagedFile(path, f"it lacks {' and '.join(lacking)}")
    if content.pop(DIGEST, None) not in (None, digest_of(content)):
        raise DamagedFile(path, "it isn't as it was written")
    return content


def strict_json(text: bytes) -> Any:
    """The value of a JSON text; raises ValueError also for NaN and for numbers beyond 64 bits."""
    return json.loads(text, parse_constant=_refuse, parse_float=_finite, parse_int=_in_64_bits)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _in_64_bits(text: str) -> int:
    value = int(text)
    return value if abs(value) < 2**63 else _refuse(text[:20])


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse(text)
