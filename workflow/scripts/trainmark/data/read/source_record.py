"""The record of image files in source.json, and the check that they are unchanged."""

from collections.abc import Mapping
from pathlib import Path

from trainmark.data.errors import DataError
from trainmark.data.read.images import Listing
from trainmark.files import read_json

RECORD = "source.json"


def listed(listings: Mapping[str, Listing]) -> dict[str, dict[str, int | str]]:
    """Each split's number of images, and the digest of its listing."""
    return {
        split: {"count": len(listing), "sha256": listing.digest}
        for split, listing in listings.items()
    }


def check_unchanged(source: Path, listings: Mapping[str, Listing]) -> None:
    """Raise DataError where the images are no longer those of the record, if there is one."""
    path = source.with_name(RECORD)
    if not path.exists():
        return
    if read_json(path, "splits")["splits"] != listed(listings):
        raise DataError(
            f"{source.resolve()}: its images have changed since they were listed; delete "
            f"{path.parent} to have them listed and converted anew"
        )
