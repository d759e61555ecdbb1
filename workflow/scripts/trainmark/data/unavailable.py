"""A data set that can't be had: its record, or its index, holds the reason.

So the rules that make these succeed all the same, its runs are `unavailable` with that reason, and
all others take place. Whoever deletes the record has it tried again.
"""

import logging
from pathlib import Path

from trainmark.files import read_json, sealed, write_json

STATUS = "unavailable"

log = logging.getLogger(__name__)


def write(path: Path, dataset: str, reason: str) -> None:
    """Say why a data set has no record (source.json), or no index in a format (dataset.json)."""
    log.warning("%s", reason)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"dataset": dataset, "status": STATUS, "reason": reason}
    write_json(sealed(content), path)


def reason(path: Path) -> str | None:
    """Why there is none, by a file that was to be the record or the index; None where it is."""
    content = read_json(path, "dataset")
    text: str | None = content["reason"] if content.get("status") == STATUS else None
    return text
