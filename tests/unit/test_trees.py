"""Folders of an archive: of a zip file, of an archive within one, and of what a mirror has."""

import hashlib
from pathlib import Path

import pytest
from data_files import RETRIES, files_in, tarred, zipped

from trainmark.data.obtain.addresses import DownloadError
from trainmark.data.obtain.checked_file import SourceFile, Tree
from trainmark.data.obtain.trees import obtain_tree

FACES = {"s1/1.pgm": b"one", "s1/2.pgm": b"two", "s2/1.pgm": b"three"}
OTHERS = {"README": b"not wanted", "s1/notes.txt": b"not wanted either"}
KEPT = [f"faces/{name}" for name in FACES]


def wanted(nested: str | None = None) -> Tree:
    lines = "".join(f"{name} {hashlib.sha256(data).hexdigest()}\n" for name, data in FACES.items())
    return Tree("faces", "s*/*.pgm", nested, hashlib.sha256(lines.encode()).hexdigest())


def zip_file(path: Path, files: dict[str, bytes]) -> SourceFile:
    """A zip file of which neither size nor checksum is known."""
    path.write_bytes(zipped(files))
    return SourceFile(path.name, None, None, urls=())


def obtain(
    file: SourceFile, mirror: str, folder: Path, nested: str | None = None, subset: bool = False
) -> list[str]:
    return obtain_tree(file, wanted(nested), [mirror], folder / "source", subset, RETRIES)


@pytest.mark.parametrize("within", ["", "orl_faces/", "a/b/"])
def test_the_wanted_files_stay_whatever_their_folder_is_called(
    mirror: tuple[Path, str], tmp_path: Path, within: str
) -> None:
    folder, url = mirror
    content = {within + name: data for name, data in (FACES | OTHERS).items()}
    file = zip_file(folder / "faces.zip", content)
    assert obtain(file, url, tmp_path) == KEPT
    assert files_in(tmp_path / "source" / "faces") == FACES
    assert [path.name for path in (tmp_path / "source").iterdir()] == ["faces"]


def test_what_is_there_and_right_is_not_fetched(mirror: tuple[Path, str], tmp_path: Path) -> None:
    folder, url = mirror
    file = zip_file(folder / "faces.zip", FACES)
    obtain(file, url, tmp_path)
    assert obtain(file, "/no/such/folder", tmp_path) == KEPT
    (tmp_path / "source" / "faces" / "s1" / "1.pgm").write_bytes(b"another")
    with pytest.raises(DownloadError, match=r"/no/such/folder"):
        obtain(file, "/no/such/folder", tmp_path)


def test_of_an_archive_within_the_archive(mirror: tuple[Path, str], tmp_path: Path) -> None:
    folder, url = mirror
    inner = tarred({f"objects/{name}": data for name, data in FACES.items()})
    file = zip_file(folder / "all.zip", {"all/objects.tar.gz": inner, "all/notes.txt": b"x"})
    assert obtain(file, url, tmp_path, nested="objects.tar.gz") == KEPT
    assert files_in(tmp_path / "source" / "faces") == FACES


def test_an_inner_archive_that_leads_out_leaves_nothing(
    mirror: tuple[Path, str], tmp_path: Path
) -> None:
    folder, url = mirror
    inner = tarred(FACES | {"../outside": b"evil"})
    file = zip_file(folder / "all.zip", {"all/objects.tar.gz": inner})
    with pytest.raises(DownloadError, match=r"objects.tar.gz: its member '../outside' leads out"):
        obtain(file, url, tmp_path, nested="objects.tar.gz")
    assert files_in(tmp_path / "source") == {}


@pytest.mark.parametrize("kind", ["an unpacked folder", "the folder around it", "another archive"])
def test_of_what_a_mirror_has(tmp_path: Path, kind: str) -> None:
    unpacked = tmp_path / "mine" / "att"
    for name, data in FACES.items():
        (unpacked / name).parent.mkdir(parents=True, exist_ok=True)
        (unpacked / name).write_bytes(data)
    (tmp_path / "faces-again.tar.gz").write_bytes(tarred(FACES))
    mirrors = {
        "an unpacked folder": unpacked,
        "the folder around it": unpacked.parent,
        "another archive": tmp_path / "faces-again.tar.gz",
    }
    file = SourceFile("faces.zip", None, None, urls=())
    assert obtain(file, str(mirrors[kind]), tmp_path) == KEPT
    assert files_in(unpacked) == FACES


def test_other_files_are_refused_unless_a_part_is_meant(
    mirror: tuple[Path, str], tmp_path: Path
) -> None:
    folder, url = mirror
    file = zip_file(folder / "faces.zip", {"s1/1.pgm": b"one"})
    with pytest.raises(DownloadError, match=r"its 1 files s\*/\*.pgm are others .*machine.subset"):
        obtain(file, url, tmp_path)
    assert files_in(tmp_path / "source") == {}
    assert obtain(file, url, tmp_path, subset=True) == ["faces/s1/1.pgm"]


def test_an_archive_of_something_else_is_refused(mirror: tuple[Path, str], tmp_path: Path) -> None:
    folder, url = mirror
    file = zip_file(folder / "faces.zip", OTHERS)
    with pytest.raises(DownloadError, match=r"has no files s\*/\*.pgm"):
        obtain(file, url, tmp_path, subset=True)


def test_half_an_archive_is_refused(mirror: tuple[Path, str], tmp_path: Path) -> None:
    folder, url = mirror
    file = zip_file(folder / "faces.zip", FACES)
    whole = (folder / "faces.zip").read_bytes()
    (folder / "faces.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DownloadError, match="truncated or damaged"):
        obtain(file, url, tmp_path)
    assert files_in(tmp_path / "source") == {}
