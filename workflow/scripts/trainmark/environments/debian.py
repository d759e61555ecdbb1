"""Debian packages unpacked into a folder, from a lock: made by `make lock`, without root.

<name>.debian.txt names them, one 'name/release' a line; <name>.debian.lock adds the exact
versions and the checksums. What was downloaded once serves every checkout.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from trainmark.environments import Unavailable
from trainmark.environments.apt import Apt
from trainmark.environments.commands import require_programs, run
from trainmark.environments.locks import HEADER
from trainmark.errors import one_line_errors
from trainmark.files import file_digest


class Package(NamedTuple):
    """One line of a lock."""

    name: str
    version: str
    release: str
    sha256: str


def install(lock: Path, folder: Path) -> None:
    """Unpack exactly the packages of a lock into `folder`, an absolute path; raises Unavailable."""
    packages = read(lock)
    require_programs("apt-get", "dpkg-deb")
    fetch([package for package in packages if not is_right(cached(package), package)])
    for package in packages:
        failure = f"{package.name} can't be unpacked"
        run(["dpkg-deb", "--extract", cached(package), folder], failure)


def read(lock: Path) -> list[Package]:
    """The packages of a lock."""
    return [Package(*words) for words in entries(lock)]


def fetch(packages: list[Package]) -> None:
    """Download packages into the cache, each under its final name once it is found right."""
    if not packages:
        return
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=cache) as name:
        folder = Path(name)
        apt = Apt(folder, sorted({package.release for package in packages}))
        apt.download([f"{package.name}={package.version}" for package in packages], folder)
        for package in packages:
            (downloaded,) = folder.glob(f"{package.name}_*.deb")
            if not is_right(downloaded, package):
                raise Unavailable(f"{downloaded.name} has another checksum than its lock says")
            downloaded.replace(cached(package))


def cache_folder() -> Path:
    """Where downloaded packages stay, for every checkout of this user."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches, "trainmark", "debian").absolute()


def cached(package: Package) -> Path:
    """Where one package stays; its checksum stands for its version and architecture."""
    return cache_folder() / f"{package.name}_{package.sha256}.deb"


def is_right(path: Path, package: Package) -> bool:
    """Whether a file is there and is the package that its lock means."""
    return path.exists() and file_digest(path) == package.sha256


def entries(path: Path, separator: str | None = None) -> list[list[str]]:
    """The words of each line of a list or a lock that is no comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split(separator) for line in lines if line and not line.startswith("#")]


def resolve(wanted: Path) -> str:
    """The lock's text for a list of packages: what the mirror offers today; raises Unavailable."""
    release_of = dict(entries(wanted, "/"))
    with TemporaryDirectory() as folder:
        apt = Apt(Path(folder), sorted(set(release_of.values())))
        offers = apt.offers(f"{name}/{release}" for name, release in release_of.items())
    packages = [Package(name, version, release_of[name], sha) for name, version, sha in offers]
    return "".join(" ".join(package) + "\n" for package in sorted(packages))


def main(folder: Path) -> None:
    """Write the lock of every list of Debian packages in a folder, where this system has apt."""
    for path in sorted(folder.glob("*.debian.txt")):
        lock = path.with_suffix(".lock")
        try:
            text = resolve(path)
        except Unavailable as error:
            print(f"{lock} stays as it is: {error}")
        else:
            lock.write_text(HEADER.format(source=path.name) + text, encoding="utf-8")
            print(f"{lock}: {len(text.splitlines())} packages")


if __name__ == "__main__":
    with one_line_errors():
        for argument in sys.argv[1:]:
            main(Path(argument))
