"""Helpers for data sets of image files: obtain one, list its images, and those expected."""

from pathlib import Path

from trainmark.data import sources
from trainmark.data.read.images import Listing, listings
from trainmark.study.datasets import facts


def obtained(
    dataset: str, results: Path, *mirrors: Path, subset: bool = True
) -> dict[str, Listing]:
    source = results / dataset / "source"
    sources.obtain(dataset, source, list(map(str, mirrors)), subset)
    return listings(facts(dataset), source, subset)


def content(listing: Listing) -> list[tuple[str, int, bytes]]:
    """Name, label and content of all images, by name."""
    labels = listing.labels.tolist()
    names = [Path(listing.name(number)).name for number in range(len(listing))]
    return sorted((name, labels[n], listing.read(n)) for n, name in enumerate(names))


def expected(folder: Path) -> list[tuple[str, int, bytes]]:
    """Name, label and content of the images in class folders, read in the plainest way."""
    names = sorted(path.name for path in folder.iterdir())
    files = (
        (file, label) for label, name in enumerate(names) for file in (folder / name).iterdir()
    )
    return sorted((file.name, label, file.read_bytes()) for file, label in files)
