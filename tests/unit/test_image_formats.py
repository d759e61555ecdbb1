"""Image files in each format: their bytes by hand, and what an interrupted writer left."""

import contextlib
import multiprocessing
import os
import resource
import signal
import struct
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import crc32c
import lmdb as database
import numpy as np
import pytest
from data_files import files_in
from file_sizes import no_file_beyond
from hypothesis import given, settings
from hypothesis import strategies as st

from trainmark.data.formats import cntk, lmdb, recordio, tfrecord
from trainmark.data.write.encoded import Image

FORMATS = [cntk, lmdb, recordio, tfrecord]
MAGIC = b"\x0a\x23\xd7\xce"
TWO = [Image(b"\xff\xd8one\xff\xd9", 5), Image(b"\xff\xd8 two\xff\xd9", 300)]
BLOCK = 4


@pytest.fixture(autouse=True)
def few_images_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tfrecord, "IMAGES_PER_SHARD", 5)
    monkeypatch.setattr(cntk, "FILES_PER_ARCHIVE", 5)


def images(count: int = 23) -> list[Image]:
    """Contents of many sizes, some of which hold RecordIO's magic word at its place or not."""
    random = np.random.default_rng(0)
    contents = [random.bytes(size) for size in random.integers(1, 9000, size=count).tolist()]
    return [Image(content + MAGIC, number * 40) for number, content in enumerate(contents)]


def path(folder: Path, writer: ModuleType) -> Path:
    return folder / f"train{getattr(writer, 'IMAGE_SUFFIX', writer.SUFFIX)}"


def write(writer: ModuleType, folder: Path, wanted: list[Image]) -> None:
    """Write the images, or go on with them, in blocks."""
    folder.mkdir(exist_ok=True)
    with writer.ImageWriter(path(folder, writer)) as opened:
        for first in range(opened.written, len(wanted), BLOCK):
            opened.append(wanted[first : first + BLOCK])


def test_lmdb_holds_encoded_datums(tmp_path: Path) -> None:
    write(lmdb, tmp_path, TWO)

    with database.open(str(tmp_path / "train"), readonly=True, lock=False) as environment:
        stored = list(environment.begin().cursor())
    assert stored == [
        (b"00000000", b"\x22\x07" + TWO[0].content + bytes.fromhex("28 05 38 01")),
        (b"00000001", b"\x22\x08" + TWO[1].content + bytes.fromhex("28 ac02 38 01")),
    ]


def test_recordio_holds_header_image_and_padding(tmp_path: Path) -> None:
    write(recordio, tmp_path, TWO)

    first, second = (
        MAGIC + struct.pack("<IIfQQ", 24 + len(file), 0, label, number, 0) + file
        for number, (file, label) in enumerate(TWO)
    )
    assert (tmp_path / "train.rec").read_bytes() == first + bytes(1) + second
    assert (tmp_path / "train.idx").read_text() == f"0\t0\n1\t{len(first) + 1}\n"


def test_recordio_splits_image_files_at_aligned_magic_words(tmp_path: Path) -> None:
    write(recordio, tmp_path, [Image(b"abcd" + MAGIC + b"ef", 0), Image(b"a" + MAGIC, 0)])

    head = struct.pack("<IfQQ", 0, 0, 0, 0)
    parts = MAGIC + struct.pack("<I", 1 << 29 | 28) + head + b"abcd"
    parts += MAGIC + struct.pack("<I", 3 << 29 | 2) + b"ef\0\0"
    whole = MAGIC + struct.pack("<I", 29) + struct.pack("<IfQQ", 0, 0, 1, 0) + b"a" + MAGIC
    assert (tmp_path / "train.rec").read_bytes() == parts + whole + bytes(3)


def test_tfrecord_holds_framed_examples_in_shards(tmp_path: Path) -> None:
    write(tfrecord, tmp_path, TWO * 3)

    shards = files_in(tmp_path / "train")
    assert sorted(shards) == ["00000.tfrecord", "00001.tfrecord"]
    entry = (
        b"\x0a\x14" + b"\x0a\x05image" + b"\x12\x0b" + b"\x0a\x09" + b"\x0a\x07" + TWO[0].content
    )
    entry += b"\x0a\x0e" + b"\x0a\x05label" + b"\x12\x05" + b"\x1a\x03" + b"\x0a\x01\x05"
    example = b"\x0a" + bytes([len(entry)]) + entry
    length = struct.pack("<Q", len(example))
    first = length + masked(length) + example + masked(example)
    assert shards["00000.tfrecord"].startswith(first)


def masked(content: bytes) -> bytes:
    checksum = crc32c.crc32c(content)
    turned = checksum >> 15 | checksum << 17 & 0xFFFFFFFF
    return struct.pack("<I", (turned + 0xA282EAD8) % 2**32)


def test_cntk_maps_image_files_in_archives(tmp_path: Path) -> None:
    write(cntk, tmp_path, TWO * 3)

    assert (tmp_path / "train_map.txt").read_text().splitlines()[4:] == [
        ".../train/00000.zip@/00000004.jpg\t5",
        ".../train/00001.zip@/00000005.jpg\t300",
    ]
    with ZipFile(tmp_path / "train" / "00001.zip") as archive:
        assert archive.read("00000005.jpg") == TWO[1].content


@pytest.mark.parametrize("writer", FORMATS, ids=lambda writer: writer.__name__.split(".")[-1])
def test_an_interrupted_writer_is_gone_on_from(writer: ModuleType, tmp_path: Path) -> None:
    write(writer, tmp_path / "uninterrupted", images())
    expected = files_in(tmp_path / "uninterrupted")
    went_on = []

    for number, size in enumerate(range(1, max(map(len, expected.values())), 3 << 10)):
        folder = tmp_path / str(number)
        write_and_be_killed(writer, folder, size)
        with writer.ImageWriter(path(folder, writer)) as opened:
            went_on.append(opened.written)
        write(writer, folder, images())
        assert files_in(folder) == expected

    assert went_on[0] == 0
    assert max(went_on) >= 5


def write_and_be_killed(writer: ModuleType, folder: Path, size: int) -> None:
    """A process that ends in the middle of a write, when a file gets that large.

    The kernel cuts off the write and kills who goes on; LMDB doesn't, and is killed then.
    """

    def child() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        with contextlib.suppress(OSError):
            write(writer, folder, images())
        signal.raise_signal(signal.SIGKILL)

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join()
    assert process.exitcode in (-signal.SIGXFSZ, -signal.SIGKILL)


@pytest.mark.parametrize("writer", FORMATS, ids=lambda writer: writer.__name__.split(".")[-1])
def test_a_complete_split_stays_the_same(writer: ModuleType, tmp_path: Path) -> None:
    write(writer, tmp_path, images())
    expected = files_in(tmp_path)

    write(writer, tmp_path, images())

    assert files_in(tmp_path) == expected


@settings(max_examples=50, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("writer", [recordio, cntk], ids=["recordio", "cntk"])
def test_files_are_gone_on_from_wherever_they_end(
    writer: ModuleType, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    write(writer, folder, images(12))
    expected = files_in(folder)
    for name, whole in expected.items():
        if name not in WHOLE_BEFORE_ANOTHER_IS_BEGUN:
            os.truncate(folder / name, data.draw(st.integers(0, len(whole))))

    write(writer, folder, images(12))

    assert files_in(folder) == expected


WHOLE_BEFORE_ANOTHER_IS_BEGUN = ["train/00000.zip", "train/00001.zip"]


@pytest.mark.parametrize("writer", FORMATS, ids=lambda writer: writer.__name__.split(".")[-1])
def test_a_full_disk_is_an_error_of_the_system(writer: ModuleType, tmp_path: Path) -> None:
    with no_file_beyond(10_000), pytest.raises(OSError):
        write(writer, tmp_path, images())
