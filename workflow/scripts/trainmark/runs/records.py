"""Reading and checking run.json, the record of a run, of this version's format or an earlier one.

A record has the digest of each file beside it and of itself, so that a damaged run is known before
its numbers are used.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError
from trainmark.files import DIGEST, digest_of, strict_json
from trainmark.runs import formats
from trainmark.runs.formats import Record
from trainmark.study.axes import KEY

RECORD = "run.json"
DAMAGED = "run.json.damaged"
BESIDE = ("worker*.log", "telemetry*.csv")
"""Patterns of the files beside a record whose digests it has."""
TYPES: Mapping[str, type | tuple[type, ...]] = {
    "status": str,
    "job": dict,
    "provenance": dict,
    "attempts": int,
    "disturbed": bool,
    "disturbances": list,
    "window": (dict, type(None)),
}
"""Types of some values of a record; the schema has all."""
OF_PATH = ("study", "repeat", *(name for name in KEY if name != "batch_size"))
"""The settings of a job that follow from the path of its record."""


class DamagedRecord(TrainmarkError):
    """A file that isn't the record of a run."""


def read(path: Path) -> Record:
    """Read a record, in the present format; raises DamagedRecord, UnknownFormat and OSError."""
    return load(path.read_bytes(), str(path))


def load(text: bytes, place: str) -> Record:
    """The record in a text, in the present format; `place` is where it was found.

    Raises DamagedRecord, and UnknownFormat for one of a later version.
    """
    try:
        record = strict_json(text)
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(f"{place} is damaged: {' '.join(str(error).split())}") from error
    if not isinstance(record, dict):
        raise DamagedRecord(f"{place} is damaged: it is no record of a run")
    for name, kind in TYPES.items():
        if name not in record or not isinstance(record[name], kind):
            raise DamagedRecord(f"{place} is damaged: it has no {name} of a run")
    # Format 1 has neither.
    if record.keys() & {"format", DIGEST} and record.get(DIGEST) != digest_of(record):
        raise DamagedRecord(f"{place} is damaged: it isn't as the run left it")
    return formats.upgraded(record, place)


def digests(folder: Path) -> dict[str, dict[str, Any]]:
    """Size in bytes and SHA-256 of each file beside a record, by the file's name."""
    paths = sorted(path for pattern in BESIDE for path in folder.glob(pattern))
    return {path.name: _digest(path.read_bytes()) for path in paths}


def damage(folder: Path, settings: Mapping[str, Any]) -> str | None:
    """What is wrong with the files of a run with these settings; None if nothing is.

    Raises UnknownFormat, and OSError for files that can't be read. There must be a record.
    """
    try:
        record = read(folder / RECORD)
    except DamagedRecord as error:
        return str(error)
    for name in OF_PATH:
        if str(record["job"].get(name)) != str(settings[name]):
            return f"{folder / RECORD} is of another run: {name} {record['job'].get(name)}"
    return _damage_beside(folder, record)


def check_beside(folder: Path) -> None:
    """Check the files beside a record against its digests; raises as `read`, and DamagedRecord."""
    if damage := _damage_beside(folder, read(folder / RECORD)):
        raise DamagedRecord(f"{damage}; the same command measures the run again")


def _damage_beside(folder: Path, record: Record) -> str | None:
    present = digests(folder)
    for name, digest in record["files"].items():
        if present.get(name) != digest:
            return f"{folder / name} isn't as the run left it"
    return None


def set_aside(folder: Path) -> None:
    """Rename the record of a damaged run, so that the run is measured again."""
    (folder / RECORD).replace(folder / DAMAGED)


def _digest(content: bytes) -> dict[str, Any]:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
