"""Archives of strangers: unpacked, or refused with nothing left behind."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from trainmark.data.obtain.archives import ArchiveError, unpack

CONTENT = bytes(range(256)) * 2000


def tar_with(path: Path, member: tarfile.TarInfo, mode: str = "w:gz") -> Path:
    """An archive with a harmless file and then `member`."""
    with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]
        harmless = tarfile.TarInfo("folder/images")
        harmless.size = len(CONTENT)
        tar.addfile(harmless, io.BytesIO(CONTENT))
        tar.addfile(member, io.BytesIO(bytes(member.size)))
    return path


def regular(name: str) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = 3
    return member


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type = kind
    member.linkname = target
    return member


def zip_with(path: Path, member: zipfile.ZipInfo | str) -> Path:
    with zipfile.ZipFile(path, "w") as content:
        content.writestr("folder/images", CONTENT)
        content.writestr(member, b"abc")
    return path


def everything(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_unpacks_a_tar(tmp_path: Path, mode: str) -> None:
    unpack(tar_with(tmp_path / "a.tar", regular("folder/labels"), mode), tmp_path / "out")
    assert (tmp_path / "out" / "folder" / "images").read_bytes() == CONTENT
    assert everything(tmp_path / "out") == {"folder", "folder/images", "folder/labels"}


def test_unpacks_a_zip(tmp_path: Path) -> None:
    unpack(zip_with(tmp_path / "a.zip", "folder/labels"), tmp_path / "out")
    assert (tmp_path / "out" / "folder" / "images").read_bytes() == CONTENT


def test_what_was_in_the_folder_is_gone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "of an earlier archive").touch()
    unpack(zip_with(tmp_path / "a.zip", "labels"), tmp_path / "out")
    assert "of an earlier archive" not in everything(tmp_path / "out")


@pytest.mark.parametrize(
    "member",
    [
        regular("../outside"),
        regular("folder/../../outside"),
        regular("/outside"),
        special("link", tarfile.SYMTYPE, "/etc/passwd"),
        special("link", tarfile.SYMTYPE, "../.."),
        special("link", tarfile.LNKTYPE, "../outside"),
        special("pipe", tarfile.FIFOTYPE),
        special("device", tarfile.CHRTYPE),
    ],
    ids=lambda member: f"{member.name} {member.linkname}",
)
def test_refuses_a_tar_that_leads_out(tmp_path: Path, member: tarfile.TarInfo) -> None:
    archive = tar_with(tmp_path / "a.tar.gz", member)
    with pytest.raises(ArchiveError) as caught:
        unpack(archive, tmp_path / "out")
    assert str(caught.value) == (
        f"{archive}: its member '{member.name}' leads out of the archive or is no plain file; "
        "nothing was unpacked"
    )
    assert everything(tmp_path) == {"a.tar.gz"}


def zip_link() -> zipfile.ZipInfo:
    member = zipfile.ZipInfo("link")
    member.external_attr = 0o120777 << 16
    return member


@pytest.mark.parametrize("member", ["../outside", "/outside", zip_link()])
def test_refuses_a_zip_that_leads_out(tmp_path: Path, member: zipfile.ZipInfo | str) -> None:
    with pytest.raises(ArchiveError, match="leads out of the archive"):
        unpack(zip_with(tmp_path / "a.zip", member), tmp_path / "out")
    assert everything(tmp_path) == {"a.zip"}


def test_refuses_a_zip_with_a_member_without_a_name(tmp_path: Path) -> None:
    archive = zip_with(tmp_path / "a.zip", "name")
    archive.write_bytes(archive.read_bytes().replace(b"name", b"\0ame"))  # names end at a null byte
    with pytest.raises(ArchiveError, match="its member '' leads out of the archive"):
        unpack(archive, tmp_path / "out")
    assert everything(tmp_path) == {"a.zip"}


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


def damaged(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes(20) + content[middle + 20 :]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_truncated_tar(tmp_path: Path, mode: str) -> None:
    archive = tar_with(tmp_path / "a.tar", regular("labels"), mode)
    archive.write_bytes(truncated(archive.read_bytes()))
    with pytest.raises(ArchiveError, match=r"a\.tar: truncated or damaged \(.*; nothing was"):
        unpack(archive, tmp_path / "out")
    assert everything(tmp_path) == {"a.tar"}


@pytest.mark.parametrize("spoil", [truncated, damaged, lambda _: b"", lambda _: b"<html>"])
def test_a_damaged_archive(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    for archive in (
        tar_with(tmp_path / "a.tar.gz", regular("labels")),
        zip_with(tmp_path / "a.zip", "labels"),
    ):
        archive.write_bytes(spoil(archive.read_bytes()))
        with pytest.raises(ArchiveError, match="truncated or damaged"):
            unpack(archive, tmp_path / "out")
    assert everything(tmp_path) == {"a.tar.gz", "a.zip"}


def test_an_archive_of_xz_that_is_damaged_is_refused(tmp_path: Path) -> None:
    archive = tar_with(tmp_path / "images.tar", regular("folder/labels"), "w:xz")
    content = bytearray(archive.read_bytes())
    content[len(content) // 2] ^= 255
    archive.write_bytes(content)
    with pytest.raises(ArchiveError, match="truncated or damaged"):
        unpack(archive, tmp_path / "unpacked")
    assert not (tmp_path / "unpacked").exists()
