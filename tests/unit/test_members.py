"""The wanted members of an archive that comes over the network."""

import hashlib
from pathlib import Path

import pytest
from data_files import RETRIES, files_in, tarred

from trainmark.data.obtain.addresses import DownloadError
from trainmark.data.obtain.checked_file import SourceFile
from trainmark.data.obtain.members import obtain_members

MEMBERS = {"set/train": b"train images", "set/test": b"test images"}


def archive(folder: Path, members: dict[str, bytes]) -> SourceFile:
    """Put an archive of `members` into `folder`; the official checksums are those of MEMBERS."""
    path = folder / "set.tar.gz"
    content = tarred(members)
    path.write_bytes(content)
    return SourceFile(
        name=path.name,
        bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        urls=(),
        members={name: hashlib.md5(content).hexdigest() for name, content in MEMBERS.items()},
    )


def test_only_the_wanted_members_stay(mirror: tuple[Path, str], tmp_path: Path) -> None:
    folder, url = mirror
    file = archive(folder, {**MEMBERS, "set/readme": b"not wanted"})
    members = obtain_members(file, [url], tmp_path / "source", subset=False, retries=RETRIES)
    assert members == list(MEMBERS)
    assert files_in(tmp_path / "source") == MEMBERS


def test_members_that_are_there_are_not_fetched(mirror: tuple[Path, str], tmp_path: Path) -> None:
    folder, url = mirror
    file = archive(folder, MEMBERS)
    obtain_members(file, [url], tmp_path / "source", subset=False, retries=RETRIES)
    obtain_members(file, [], tmp_path / "source", subset=False, retries=RETRIES)


def test_a_mirror_that_lacks_the_archive_is_passed_over(
    mirror: tuple[Path, str], tmp_path: Path
) -> None:
    folder, url = mirror
    file = archive(folder, MEMBERS)
    for number, absent in enumerate((tmp_path / "absent", tmp_path)):
        source = tmp_path / f"source{number}"
        members = obtain_members(file, [str(absent), url], source, subset=False, retries=RETRIES)
        assert members == list(MEMBERS)


def test_an_archive_that_leads_out_leaves_nothing(mirror: tuple[Path, str], tmp_path: Path) -> None:
    folder, url = mirror
    file = archive(folder, {**MEMBERS, "../outside": b"evil"})
    with pytest.raises(DownloadError, match=r"its member '\.\./outside' leads out"):
        obtain_members(file, [url], tmp_path / "source", subset=False, retries=RETRIES)
    assert files_in(tmp_path / "source") == {}


def test_an_archive_without_any_member_is_refused_even_as_a_part(
    mirror: tuple[Path, str], tmp_path: Path
) -> None:
    folder, url = mirror
    file = archive(folder, {"other/train": b"train images"})
    with pytest.raises(DownloadError, match="lacks train, test"):
        obtain_members(file, [url], tmp_path / "source", subset=True, retries=RETRIES)
