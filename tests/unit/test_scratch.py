"""Copies of data sets on the machine that measures."""

import errno
import json

import pytest

from trainmark.data import scratch
from trainmark.data.obtain.storage import StorageError


def never():
    """Whether a run is called off: it isn't."""


@pytest.fixture
def index(tmp_path):
    """That of a data set of two files, one of them in a folder."""
    folder = tmp_path / "shared/digits/lmdb"
    (folder / "train").mkdir(parents=True)
    (folder / "train/data.mdb").write_bytes(b"images" * 1000)
    (folder / "dataset.json").write_text('{"sha256": "1"}')
    return folder / "dataset.json"


def test_all_of_a_data_set_is_copied_once(index, tmp_path):
    copy = scratch.copied(index, str(tmp_path / "local"), never)
    assert copy.parent.parent == tmp_path / "local"
    assert copy.read_text() == index.read_text()
    assert (copy.parent / "train/data.mdb").read_bytes() == b"images" * 1000
    before = copy.stat().st_ino
    assert scratch.copied(index, str(tmp_path / "local"), never) == copy
    assert copy.stat().st_ino == before


def test_a_copy_of_which_a_file_was_removed_is_made_anew(index, tmp_path):
    split = {"path": "train", "bytes": 6000}
    index.write_text(json.dumps({"splits": {"train": split}}))
    copy = scratch.copied(index, str(tmp_path / "local"), never)
    (copy.parent / "train/data.mdb").unlink()
    assert scratch.copied(index, str(tmp_path / "local"), never) == copy
    assert (copy.parent / "train/data.mdb").read_bytes() == b"images" * 1000


def test_another_content_is_another_copy(index, tmp_path):
    first = scratch.copied(index, str(tmp_path / "local"), never)
    index.write_text('{"sha256": "2"}')
    assert scratch.copied(index, str(tmp_path / "local"), never) != first


def test_a_run_that_is_called_off_leaves_no_half_copy(index, tmp_path):
    def check():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scratch.copied(index, str(tmp_path / "local"), check)
    assert not [*(tmp_path / "local").iterdir()]


def test_a_variable_of_the_machine_is_known(index, tmp_path, monkeypatch):
    monkeypatch.setenv("JOB_FOLDER", str(tmp_path / "job"))
    assert scratch.copied(index, "$JOB_FOLDER", never).is_relative_to(tmp_path / "job")
    monkeypatch.delenv("JOB_FOLDER")
    with pytest.raises(StorageError, match=r"\$JOB_FOLDER names a variable that isn't set"):
        scratch.copied(index, "$JOB_FOLDER", never)


def test_a_full_disk_is_reported(index, tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(scratch.shutil, "copystat", full)
    with pytest.raises(StorageError, match=r"can't copy digits to .*: No space left on device"):
        scratch.copied(index, str(tmp_path / "local"), never)
