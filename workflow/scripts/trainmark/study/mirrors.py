"""Mirrors: the addresses of a data set that a machine's settings put before the data set's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from trainmark.study.datasets import origin


def local_path(address: str) -> Path | None:
    """The path that an address (URL or path) means, or None where it is one of the network."""
    parts = urlsplit(address)
    if parts.scheme in ("http", "https"):
        return None
    return Path(unquote(parts.path) if parts.scheme == "file" else address).expanduser()


def missing(mirrors: Mapping[str, Sequence[str]], datasets: Iterable[str]) -> Iterator[str]:
    """Messages of mirrors of some data sets that are paths of this machine and do not exist."""
    for name in dict.fromkeys(map(origin, datasets)):
        for path in filter(None, map(local_path, mirrors.get(name, ()))):
            if not path.exists():
                yield f"machine.mirrors.{name}: there is no {path} here"
