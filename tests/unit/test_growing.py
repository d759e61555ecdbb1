"""A file that another thread writes: in order, whole when closed, and its failures reported."""

import hashlib
from pathlib import Path

import pytest
from file_sizes import no_file_beyond

from trainmark.data.write.growing import GrowingFile


def test_what_was_there_and_what_is_appended_is_in_the_file_and_its_digest(tmp_path: Path) -> None:
    path, contents = tmp_path / "file", []
    path.write_bytes(b"begun, ")
    with GrowingFile(path) as growing:
        growing.append(b"gone on, ", then=lambda: contents.append(path.read_bytes()))
        growing.append(b"ended", then=lambda: contents.append(path.read_bytes()))
    assert contents == [b"begun, gone on, ", b"begun, gone on, ended"]
    assert growing.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_what_cannot_be_written_is_reported_by_the_next_call(tmp_path: Path) -> None:
    path, written_pieces = tmp_path / "file", []
    path.touch()
    with (
        no_file_beyond(1000),
        pytest.raises(OSError, match="File too large"),
        GrowingFile(path) as growing,
    ):
        growing.append(bytes(2000), then=lambda: written_pieces.append("written"))
    assert written_pieces == []
