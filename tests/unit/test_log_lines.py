"""Logs are read line by line, however long they or their lines are."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from recorded import LOGS
from recorded_logs import read

from trainmark.runs.logs import lines


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "some.log"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_has_one_of_three_ends(log: Path, end: str) -> None:
    log.write_bytes(f"one{end}two{end}".encode())
    assert list(lines.read(log)) == ["one", "two"]


@pytest.mark.parametrize(
    "stored",
    [
        lambda text: gzip.compress(text.encode()),
        lambda text: text.encode("utf-16"),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
    ],
    ids=["by gzip", "in UTF-16", "with a byte order mark"],
)
def test_a_log_is_read_as_it_was_stored(log: Path, stored: Callable[[str], bytes]) -> None:
    log.write_bytes(stored("Größe\nzwei\n"))
    assert list(lines.read(log)) == ["Größe", "zwei"]


def test_what_came_to_no_end_is_no_line(log: Path) -> None:
    log.write_bytes(b"one\ntw")
    assert list(lines.read(log)) == ["one"]


def test_an_empty_log_has_none(log: Path) -> None:
    log.touch()
    assert list(lines.read(log)) == []


def test_bytes_that_are_no_text_are_replaced(log: Path) -> None:
    log.write_bytes(b"\xff\x00 loss\n")
    assert list(lines.read(log)) == ["\ufffd\0 loss"]


def test_no_line_is_longer_than_fits_in_memory(log: Path) -> None:
    with log.open("wb") as file:
        file.truncate(40 * lines.LONGEST + 1)
    assert [len(line) for line in lines.read(log)] == [lines.LONGEST] * 40


def test_a_bar_may_be_drawn_thousands_of_times(log: Path) -> None:
    begin, first, second, third = (LOGS / "keras_bar.log").read_bytes().split(b"\r")[:4]
    log.write_bytes(b"\r".join([begin, *[first] * 2000, second, third, b""]))
    assert log.stat().st_size > 4 * lines.LONGEST
    *_, progress = read("keras", lines.read(log))
    assert (progress.epoch, progress.step, progress.seconds, progress.loss) == (1, 12, 0.01, 2.3424)
