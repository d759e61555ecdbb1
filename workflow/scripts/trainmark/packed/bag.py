"""BagIt (RFC 8493): a folder that says which files it holds, and by which digests.

What a bag holds is below data/. manifest-sha256.txt has the digest of each of these files, and
three more text files say what the bag is and have the digests of one another. Libraries and
archives keep and send files so, with tools in many languages, and `sha256sum --check
manifest-sha256.txt` checks a bag without any of them. That is why it is preferred to a manifest of
our own, and to RO-Crate, which describes files in JSON-LD and leaves it to BagIt whether they are
whole.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256

PAYLOAD = "data/"
DECLARATION, ABOUT, MANIFEST = "bagit.txt", "bag-info.txt", "manifest-sha256.txt"
TAG_MANIFEST = "tagmanifest-sha256.txt"
TEXTS = (DECLARATION, ABOUT, MANIFEST)
VERSION = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
LINE = re.compile("([0-9a-f]{64})  (.+)")


class Broken(Exception):
    """Why a bag isn't what it says, in a few words."""


def tag_files(
    digests: Mapping[str, str], total_bytes: int, about: Mapping[str, str]
) -> dict[str, bytes]:
    """The four text files of a bag, by their names.

    Args:
        digests: SHA-256 of each file of the payload in hexadecimal digits, by its path below data/.
            Paths are made of names of a study, in which BagIt escapes nothing.
        total_bytes: of all these files.
        about: what bag-info.txt says, by label.

    """
    labels = {**about, "Payload-Oxum": f"{total_bytes}.{len(digests)}"}
    texts = {
        DECLARATION: VERSION,
        ABOUT: "".join(f"{label}: {value}\n" for label, value in labels.items()),
        MANIFEST: _manifest({f"{PAYLOAD}{path}": digest for path, digest in digests.items()}),
    }
    files = {name: text.encode() for name, text in texts.items()}
    tag_manifest = _manifest({name: sha256(content).hexdigest() for name, content in files.items()})
    return {**files, TAG_MANIFEST: tag_manifest.encode()}


def check(digests: Mapping[str, str], read: Callable[[str], bytes]) -> dict[str, str]:
    """Hold a bag against its manifests, and return what its bag-info.txt says, by label.

    `digests` are the real ones of all its files, by their paths in it; `read` gives the content of
    one of its text files. Raises Broken.
    """
    _require([DECLARATION, ABOUT, MANIFEST, TAG_MANIFEST], digests)
    if read(DECLARATION) != VERSION.encode():
        raise Broken(f"its {DECLARATION} declares no BagIt 1.0 in UTF-8")
    promised = _promised(_text(read(MANIFEST))) | _promised(_text(read(TAG_MANIFEST)))
    _require(promised, digests)
    if unknown := digests.keys() - promised.keys() - {TAG_MANIFEST}:
        raise Broken(f"it holds {min(unknown)!r}, which its manifest doesn't name")
    if others := [path for path in promised if not path.startswith(PAYLOAD) and path not in TEXTS]:
        raise Broken(f"it holds {others[0]!r} beside its {PAYLOAD}")
    if replaced := [path for path, digest in promised.items() if digests[path] != digest]:
        raise Broken(f"its {replaced[0]!r} has another digest than its manifest says")
    lines = (line.partition(": ") for line in _text(read(ABOUT)).splitlines())
    return {label: value for label, _, value in lines}


def _manifest(digests: Mapping[str, str]) -> str:
    """The form of sha256sum, with the paths in their order."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(digests.items()))


def _promised(manifest: str) -> dict[str, str]:
    """The digests that a manifest gives, by their files' paths."""
    digests: dict[str, str] = {}
    for line in manifest.splitlines():
        parts = LINE.fullmatch(line)
        if parts is None or parts[2] in digests:
            raise Broken(f"its manifest has the line {line!r}")
        digests[parts[2]] = parts[1]
    return digests


def _text(content: bytes) -> str:
    return content.decode(errors="replace")


def _require(names: Iterable[str], digests: Mapping[str, str]) -> None:
    for name in names:
        if name not in digests:
            raise Broken(f"it lacks {name!r}")
