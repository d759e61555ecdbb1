"""apt as a source of Debian packages, without root and without changing the host.

It works on folders and a list of sources of its own, but reaches them as this system reaches its
mirror (proxies, certificates, waiting times), and checks them against Debian's signing keys.
Sources: apt-get(8), apt.conf(5), sources.list(5).
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from trainmark.environments import Unavailable
from trainmark.environments.commands import require_programs, run

KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
# The system's hooks after an update are for its own lists.
SETTINGS = """\
#clear APT::Update;
#clear APT::Architectures;
APT::Architecture "amd64";
APT::Sandbox::User "";
APT::Update::Error-Mode "any";
Dir::State "{folder}";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
"""
SOURCE = "deb [arch=amd64 target=Packages signed-by={keys}] {mirror} {release} main\n"
OFFER = re.compile(r"^'\S+' (?P<name>[^_\s]+)_(?P<version>[^_\s]+)_\S+ \d+ SHA256:(?P<sha256>\w+)$")


class Offer(NamedTuple):
    """A package as the mirror has it."""

    name: str
    version: str
    sha256: str


class Apt:
    """The packages of some Debian releases, on the mirror that this system uses."""

    def __init__(self, folder: Path, releases: Iterable[str]) -> None:
        """Make apt's own root in `folder`, an absolute path, and get the releases' lists.

        Raises Unavailable.
        """
        require_programs("apt-get")
        if not KEYS.exists():
            raise Unavailable(f"{KEYS}, Debian's keys, is missing: install debian-archive-keyring")
        self._settings = folder / "apt.conf"
        self._mirror = mirror()
        for name in ("lists", "archives"):
            (folder / name / "partial").mkdir(parents=True)
        (folder / "status").touch()
        self._settings.write_text(SETTINGS.format(folder=folder), encoding="utf-8")
        lines = [SOURCE.format(keys=KEYS, mirror=self._mirror, release=name) for name in releases]
        (folder / "sources.list").write_text("".join(lines), encoding="utf-8")
        self._get("update")

    def download(self, packages: Iterable[str], folder: Path) -> None:
        """Put packages, named as 'name=version', into a folder; raises Unavailable."""
        self._get("download", *packages, folder=folder)

    def offers(self, packages: Iterable[str]) -> list[Offer]:
        """The available versions of packages, named as 'name/release'; raises Unavailable."""
        listing = self._get("download", "--print-uris", *packages)
        matches = [OFFER.fullmatch(line) for line in listing.splitlines()]
        return [
            Offer(match["name"], match["version"].replace("%3a", ":"), match["sha256"])
            for match in matches
            if match
        ]

    def _get(self, *arguments: str, folder: Path | None = None) -> str:
        failure = f"apt can't get Debian's packages from {self._mirror}"
        settings = f"--config-file={self._settings}"
        return run(["apt-get", settings, "-qq", *arguments], failure, folder)


def mirror() -> str:
    """The address of the mirror that this system's own packages come from.

    Its release's name has no hyphen, unlike the names of updates and of many vendors' releases.
    """
    fields = ("--no-release-info", "--format", "$(RELEASE) $(COMPONENT) $(SITE)")
    command = ["apt-get", "indextargets", *fields, "Created-By: Packages"]
    for line in run(command, "apt doesn't tell its sources").splitlines():
        release, component, site = line.split(" ", 2)  # a flat source has neither of the first two
        if component == "main" and "-" not in release:
            return site
    raise Unavailable("this system's apt has no sources, so no mirror of Debian is known")
