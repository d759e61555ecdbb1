"""What runs read is checked before it is used: whole, as written, in its place."""

import zipfile

import lmdb
import numpy
import pytest

from trainmark.data.convert import convert
from trainmark.files import DamagedFile, sealed, write_json
from trainmark.runs.inputs import check

SOURCE = {"dataset": "digits", "files": []}
INDEX = {"dataset": "digits", "format": "lmdb", "splits": {}}
UNAVAILABLE = {"dataset": "digits", "status": "unavailable", "reason": "no network"}
LOCK = {"environment": "numpy", "status": "available"}


def written(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(sealed(content), path)
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("digits/source.json", SOURCE),
        ("digits/lmdb/dataset.json", INDEX),
        ("digits/lmdb/dataset.json", UNAVAILABLE),
        ("numpy.json", LOCK),
    ],
)
def test_what_is_in_its_place_passes(tmp_path, name, content):
    check(written(tmp_path, name, content))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cifar10/source.json", SOURCE),
        ("digits/tfrecord/dataset.json", INDEX),
        ("cifar10/lmdb/dataset.json", UNAVAILABLE),
        ("digits/lmdb/dataset.json", SOURCE),
        ("jax.json", LOCK),
    ],
)
def test_what_is_of_something_else_is_named(tmp_path, name, content):
    path = written(tmp_path, name, content)
    with pytest.raises(DamagedFile, match=rf"{path} is damaged \(it is of something else\)"):
        check(path)


def test_a_reference_of_another_network_is_named(tmp_path):
    path = tmp_path / "lenet.npz"
    numpy.savez(path, logits=numpy.zeros(100))
    with zipfile.ZipFile(path, "a") as arrays:
        arrays.comment = b"alexnet"
    with pytest.raises(DamagedFile, match=r"is damaged \(it is the reference alexnet\)"):
        check(path)
    path.rename(tmp_path / "alexnet.npz")
    check(tmp_path / "alexnet.npz")


def test_arrays_of_which_a_byte_changed_are_named(tmp_path):
    path = tmp_path / "reference.npz"
    numpy.savez(path, logits=numpy.zeros(100))
    check(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedFile, match="is damaged"):
        check(path)


@pytest.mark.parametrize("name", ["cntk", "lmdb", "recordio", "tfrecord"])
def test_images_that_were_cut_off_are_named(tmp_path, name):
    folder = tmp_path / "synthetic-3x6x5-300" / name
    convert("synthetic-3x6x5-300", folder.with_name("source"), name, folder)
    check(folder / "dataset.json")
    largest = max(folder.rglob("*"), key=lambda path: path.stat().st_size)
    with largest.open("r+b") as images:
        images.truncate(100)
    with pytest.raises(DamagedFile, match=r"dataset.json is damaged \(its train images have "):
        check(folder / "dataset.json")


def test_a_reader_s_lock_is_no_damage(tmp_path):
    folder = tmp_path / "synthetic-3x6x5-300" / "lmdb"
    convert("synthetic-3x6x5-300", folder.with_name("source"), "lmdb", folder)
    lmdb.open(str(folder / "train")).close()
    assert (folder / "train" / "lock.mdb").exists()
    check(folder / "dataset.json")
