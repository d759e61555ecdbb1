"""Mirrors: the addresses of a data set that a machine's settings put before the data set's."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from trainmark.study.datasets import origin


def local_path(address: str) -> Path | None:
    """The path that an address (URL or path) means, or None where it is one of the network."""
    try:
        parts = urlsplit(address)
    except ValueError:  # no path begins like that; whoever asks for the address says what is wrong
        return None
    if parts.scheme in ("http", "https"):
        return None
    path = unquote(parts.path) if parts.scheme == "file" else address
    return Path(os.path.expanduser(path))  # noqa: PTH111 (Path's raises for an unknown user)


def missing(mirrors: Mapping[str, Sequence[str]], datasets: Iterable[str]) -> Iterator[str]:
    """Messages of mirrors of some data sets that are paths of this machine and do not exist."""
    for name in dict.fromkeys(map(origin, datasets)):
        for path in filter(None, map(local_path, mirrors.get(name, ()))):
            if not path.exists():
                yield f"machine.mirrors.{name}: there is no {path} here"
