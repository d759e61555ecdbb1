"""Conversion of image files: gone on with after an interruption, to the same bytes."""

import contextlib
import fcntl
import hashlib
import json
import logging
import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path

import jsonschema
import lmdb
import pytest
from data_files import files_in
from file_sizes import no_file_beyond
from pictures import class_folders, encoded

from trainmark.data import sources
from trainmark.data.convert import convert
from trainmark.data.errors import DataError
from trainmark.data.formats import cntk, tfrecord
from trainmark.data.obtain.storage import StorageError
from trainmark.data.read.images import MEAN, Files, listings
from trainmark.data.write import progress
from trainmark.data.write.encoded import BLOCK_IMAGES, prepare
from trainmark.study.datasets import facts
from trainmark.study.plugins import SCRIPTS

FORMATS = ["cntk", "lmdb", "recordio", "tfrecord"]
FLOWERS = "folder-flowers-3x24x24-3"
RESIZED = f"{FLOWERS}-short16"


@pytest.fixture(autouse=True)
def few_images_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tfrecord, "IMAGES_PER_SHARD", 50)
    monkeypatch.setattr(cntk, "FILES_PER_ARCHIVE", 50)


@pytest.fixture
def flowers(tmp_path: Path) -> Path:
    """Class folders with some odd images among them."""
    folder = class_folders(tmp_path / "flowers", {"aster": 90, "rose": 95, "tulip": 80})
    whole = encoded(1000, size=(200, 150))
    odd = {
        "aster/grey.jpg": encoded(1001, "L"),
        "rose/grey.jpg": encoded(1002, "L"),
        "rose/cmyk.jpg": encoded(1003, "CMYK"),
        "tulip/png.jpg": encoded(1004, form="PNG"),
        "tulip/truncated.jpg": whole[: len(whole) * 3 // 4],
    }
    for name, content in odd.items():
        (folder / name).write_bytes(content)
    return folder


def converted(
    name: str, flowers: Path, format_name: str, results: str = "results", subset: bool = False
) -> Path:
    folder = flowers.with_name(results) / name / format_name
    sources.obtain(name, folder.with_name("source"), [str(flowers)])
    convert(name, folder.with_name("source"), format_name, folder, subset)
    return folder


def index(folder: Path) -> dict:
    return json.loads((folder / "dataset.json").read_text())


@pytest.mark.parametrize("name", [FLOWERS, RESIZED])
@pytest.mark.parametrize("format_name", FORMATS)
def test_index_is_true(name: str, format_name: str, flowers: Path) -> None:
    folder = converted(name, flowers, format_name)
    stored_index = index(folder)
    schema = json.loads((SCRIPTS.parent / "schemas" / "dataset.schema.json").read_text())
    jsonschema.validate(stored_index, schema)
    assert (stored_index["encoding"], stored_index["mean"]) == ("jpeg", list(MEAN))
    assert stored_index["short_side"] == facts(name).short_side
    assert [split["count"] for split in stored_index["splits"].values()] == [217, 53]
    odd = [split["odd"] for split in stored_index["splits"].values()]
    assert {kind: odd[0][kind] + odd[1][kind] for kind in odd[0]} == {
        "grey": 2,
        "cmyk": 1,
        "not_jpeg": 1,
        "truncated": 1,
    }
    for split in stored_index["splits"].values():
        assert (folder / split["path"]).exists() and split["bytes"] > 0


def test_the_digest_is_that_of_the_file_also_where_it_was_gone_on_with(
    flowers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(flowers, monkeypatch)
    folder = converted(FLOWERS, flowers, "recordio")
    for split in index(folder)["splits"].values():
        file = (folder / split["path"]).read_bytes()
        assert split["sha256"] == hashlib.sha256(file).hexdigest()


def test_the_schema_asks_for_what_image_files_need(flowers: Path) -> None:
    schema = json.loads((SCRIPTS.parent / "schemas" / "dataset.schema.json").read_text())
    stored_index = index(converted(FLOWERS, flowers, "lmdb"))
    del stored_index["splits"]["test"]["odd"]
    with pytest.raises(jsonschema.ValidationError, match="'odd' is a required property"):
        jsonschema.validate(stored_index, schema)


@pytest.mark.parametrize("name", [FLOWERS, RESIZED])
def test_what_is_stored_is_what_was_prepared(name: str, flowers: Path) -> None:
    folder = converted(name, flowers, "lmdb")
    listing = listings(facts(name), folder.with_name("source"), subset=False)["train"]
    with lmdb.open(str(folder / "train"), readonly=True, lock=False) as environment:
        stored = [datum for _, datum in environment.begin().cursor()]
    assert len(stored) == len(listing)
    for number, datum in enumerate(stored):
        image, _ = prepare(listing.read(number), facts(name).short_side)
        assert image in datum and datum.endswith(bytes([0x28, listing.labels[number], 0x38, 1]))


def test_untouched_real_images_are_stored_byte_for_byte(
    imagenet_samples: Path, tmp_path: Path
) -> None:
    name = "folder-nette-3x224x224-10"
    images = imagenet_samples / "imagenette-224"
    folder = tmp_path / name / "recordio"
    sources.obtain(name, folder.with_name("source"), [str(images)])
    convert(name, folder.with_name("source"), "recordio", folder)
    stored = (folder / "train.rec").read_bytes()
    assert all(path.read_bytes() in stored for path in (images / "train").rglob("*.JPEG"))
    assert index(folder)["splits"]["train"]["odd"]["truncated"] == 0


@pytest.mark.parametrize("name", [FLOWERS, RESIZED])
@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("at", [0, 100, 2 * BLOCK_IMAGES])
def test_a_killed_conversion_is_gone_on_with_to_the_same_bytes(
    name: str, format_name: str, at: int, flowers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = files_in(converted(name, flowers, format_name, "uninterrupted"))
    folder = flowers.with_name("results") / name / format_name
    with monkeypatch.context() as patched:
        patched.setattr(Files, "read", dying(Files.read, after=at, alive=os.getpid()))
        process = multiprocessing.get_context("fork").Process(
            target=converted, args=(name, flowers, format_name)
        )
        process.start()
        process.join()
    assert process.exitcode == -signal.SIGKILL and not folder.exists()

    assert files_in(converted(name, flowers, format_name)) == expected
    assert list(folder.parent.glob(".*.partial")) == []


def dying(read: Callable[..., bytes], after: int, alive: int) -> Callable[..., bytes]:
    """Read images, and kill the process instead of reading one more than `after`."""
    numbers = []

    def read_or_die(listing: Files, number: int) -> bytes:
        numbers.append(number)
        if len(numbers) > after and os.getpid() != alive:
            os.kill(os.getpid(), signal.SIGKILL)
        return read(listing, number)

    return read_or_die


def interrupt(
    flowers: Path, monkeypatch: pytest.MonkeyPatch, format_name: str = "recordio"
) -> None:
    """Begin a conversion and stop it at the image number 150."""
    read = Files.read

    def interrupted(listing: Files, number: int) -> bytes:
        if number == 150:
            raise KeyboardInterrupt
        return read(listing, number)

    with monkeypatch.context() as patched, contextlib.suppress(KeyboardInterrupt):
        patched.setattr(Files, "read", interrupted)
        converted(FLOWERS, flowers, format_name)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of all images that are read from now on."""
    read, numbers = Files.read, []

    def counting(listing: Files, number: int) -> bytes:
        numbers.append(number)
        return read(listing, number)

    monkeypatch.setattr(Files, "read", counting)
    return numbers


def test_what_is_written_is_not_read_again(flowers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt(flowers, monkeypatch)
    numbers = counted(monkeypatch)
    converted(FLOWERS, flowers, "recordio")
    assert 270 - 150 < len(numbers) < 270 - 100


def test_changed_images_are_converted_anew(flowers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt(flowers, monkeypatch)
    (flowers / "rose" / "rose_1.JPEG").write_bytes(encoded(2000, size=(50, 60)))
    numbers = counted(monkeypatch)
    folder = converted(FLOWERS, flowers, "recordio")
    assert len(numbers) == 270
    assert files_in(folder) == files_in(converted(FLOWERS, flowers, "recordio", "uninterrupted"))


def test_an_image_that_cannot_be_decoded_can_be_mended(flowers: Path) -> None:
    (flowers / "rose" / "rose_7.JPEG").write_bytes(b"garbage")
    with pytest.raises(
        DataError, match=rf"^{flowers}/rose/rose_7\.JPEG: no image that can be decoded"
    ):
        converted(FLOWERS, flowers, "lmdb")
    (flowers / "rose" / "rose_7.JPEG").unlink()
    assert index(converted(FLOWERS, flowers, "lmdb"))["splits"]["train"]["count"] > 200


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_full_disk_is_reported_and_what_is_written_kept(format_name: str, flowers: Path) -> None:
    expected = files_in(converted(FLOWERS, flowers, format_name, "uninterrupted"))
    with (
        no_file_beyond(20_000),
        pytest.raises(StorageError, match=r"^can't convert .* stays in .*\.partial to go on"),
    ):
        converted(FLOWERS, flowers, format_name)
    assert files_in(converted(FLOWERS, flowers, format_name)) == expected


def test_the_log_tells_how_far_it_is(
    flowers: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.0)
    with caplog.at_level(logging.INFO):
        converted(FLOWERS, flowers, "lmdb")
    assert "train: 64 of 217 images, " in caplog.text and " images/s, " in caplog.text


def test_images_that_changed_after_they_were_listed_are_reported(flowers: Path) -> None:
    source = converted(FLOWERS, flowers, "lmdb").with_name("source")
    os.utime(flowers / "rose" / "rose_1.JPEG", (0, 0))
    with pytest.raises(DataError, match=r"have changed since .*; delete .* to have"):
        convert(FLOWERS, source, "recordio", source.with_name("recordio"))


def test_two_conversions_to_one_path_are_reported(flowers: Path) -> None:
    folder = converted(FLOWERS, flowers, "lmdb")
    with (folder.parent / ".lmdb.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StorageError, match=r"another process still writes .*: wait for it, or"):
            converted(FLOWERS, flowers, "lmdb")
