"""The record of the user's files in source.json, and the check that they are unchanged."""

from collections.abc import Mapping
from pathlib import Path

from trainmark.data.errors import DataError
from trainmark.data.read.images import Listing
from trainmark.files import file_digest, read_json

RECORD = "source.json"


def listed(listings: Mapping[str, Listing]) -> dict[str, dict[str, int | str]]:
    """Each split's number of images, and the digest of its listing."""
    return {
        split: {"count": len(listing), "sha256": listing.digest}
        for split, listing in listings.items()
    }


def linked_files(source: Path, pattern: str) -> list[str]:
    """The names, below a source folder of the user's, of its files that a pattern means."""
    paths = (path.relative_to(source) for path in source.glob(pattern) if path.is_file())
    return [str(path) for path in sorted(paths)]


def check_files_unchanged(source: Path, pattern: str) -> None:
    """Raise DataError where linked files are no longer those of the record, if there is one."""
    path = source.with_name(RECORD)
    if not path.exists():
        return
    recorded = {file["name"]: file["sha256"] for file in read_json(path, "files")["files"]}
    if recorded != {name: file_digest(source / name) for name in linked_files(source, pattern)}:
        raise DataError(_changed(source, "files"))


def check_unchanged(source: Path, listings: Mapping[str, Listing]) -> None:
    """Raise DataError where the images are no longer those of the record, if there is one."""
    path = source.with_name(RECORD)
    if not path.exists():
        return
    if read_json(path, "splits")["splits"] != listed(listings):
        raise DataError(_changed(source, "images"))


def _changed(source: Path, what: str) -> str:
    return (
        f"{source.resolve()}: its {what} have changed since they were listed; delete "
        f"{source.parent} to have them listed and converted anew"
    )
