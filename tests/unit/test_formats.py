"""The formats' bytes, by hand and by their readers."""

import struct
import zlib
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import crc32c
import lmdb as database
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from trainmark.data.formats import cntk, lmdb, recordio, tfrecord
from trainmark.data.read.chunks import Chunk
from trainmark.data.write import png, protobuf
from worker.input.dataset import DataError
from worker.input.readers import lmdb as lmdb_reader
from worker.input.readers import tfrecord as tfrecord_reader

MAGIC = b"\x0a\x23\xd7\xce"
READERS = [(lmdb, lmdb_reader), (tfrecord, tfrecord_reader)]
SHAPES = [(1, 28, 28), (3, 32, 32), (3, 5, 7), (1, 1, 1), (4, 3, 2)]


def chunk(shape: tuple[int, int, int], labels: list[int]) -> Chunk:
    images = np.random.default_rng(0).integers(256, size=(len(labels), *shape), dtype=np.uint8)
    return images, np.array(labels, dtype=np.int64)


def tiny() -> Chunk:
    """Two grey images of 1x2 pixels, the labels of 1 and of 2 bytes."""
    images = np.array([[[[1, 2]]], [[[3, 4]]]], dtype=np.uint8)
    return images, np.array([5, 300], dtype=np.int64)


def test_lmdb_holds_datums_under_numbered_keys(tmp_path: Path) -> None:
    lmdb.write([tiny()], tmp_path / "test", (1, 1, 2))

    with database.open(str(tmp_path / "test"), readonly=True, lock=False) as environment:
        stored = list(environment.begin().cursor())
    assert stored == [
        (b"00000000", bytes.fromhex("08 01 10 01 18 02 22 02 0102 28 05")),
        (b"00000001", bytes.fromhex("08 01 10 01 18 02 22 02 0304 28 ac02")),
    ]


def test_tfrecord_holds_framed_examples(tmp_path: Path) -> None:
    path = tmp_path / "test.tfrecord"
    tfrecord.write([tiny()], path, (1, 1, 2))

    image = b"\x0a\x0f" + b"\x0a\x05image" + b"\x12\x06" + b"\x0a\x04" + b"\x0a\x02\x01\x02"
    label = b"\x0a\x0e" + b"\x0a\x05label" + b"\x12\x05" + b"\x1a\x03" + b"\x0a\x01\x05"
    example = b"\x0a" + bytes([len(image + label)]) + image + label
    length = struct.pack("<Q", len(example))
    first = length + checksum(length) + example + checksum(example)
    assert path.read_bytes()[: len(first)] == first


def checksum(content: bytes) -> bytes:
    crc = np.array([crc32c.crc32c(content)], dtype=np.uint32)
    return tfrecord.masked(crc).astype("<u4").tobytes()


def test_masked_checksum_is_turned_and_shifted() -> None:
    # 0xe3069283 is the published check value of CRC-32C, of the nine digits.
    turned = 0xE3069283 >> 15 | (0xE3069283 & 0x7FFF) << 17
    expected = (turned + 0xA282EAD8) % 2**32
    assert checksum(b"123456789") == struct.pack("<I", expected)


def test_recordio_holds_header_image_and_padding(tmp_path: Path) -> None:
    images, labels = tiny()
    recordio.write([(images, labels)], tmp_path / "test.rec", (1, 1, 2))

    encoded = png.stored(images)
    content = struct.pack("<IfQQ", 0, 300.0, 1, 0) + encoded[1].tobytes()
    record = MAGIC + struct.pack("<I", len(content)) + content + bytes(-len(content) % 4)
    assert (tmp_path / "test.rec").read_bytes()[-len(record) :] == record
    assert (tmp_path / "test.idx").read_text() == f"0\t0\n1\t{len(record)}\n"


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (b"abcd" + MAGIC + b"ef", [(1, b"abcd"), (3, b"ef")]),
        (MAGIC + MAGIC, [(1, b""), (2, b""), (3, b"")]),
        (b"ab" + MAGIC + b"cd", [(0, b"ab" + MAGIC + b"cd")]),
        (b"abcd" + MAGIC[:3], [(0, b"abcd" + MAGIC[:3])]),
    ],
    ids=["in the middle", "nothing else", "not at a word", "cut off"],
)
def test_recordio_splits_at_aligned_magic_words(
    content: bytes, parts: list[tuple[int, bytes]]
) -> None:
    expected = b""
    for kind, part in parts:
        expected += MAGIC + struct.pack("<I", kind << 29 | len(part)) + part + bytes(-len(part) % 4)

    (framed,) = recordio.framed(np.frombuffer(content, dtype=np.uint8)[np.newaxis])

    assert bytes(framed) == expected


@given(words=st.lists(st.sampled_from([MAGIC, b"abcd", b"\0\0\0\0"])), rest=st.binary(max_size=3))
def test_recordio_joins_to_what_was_split(words: list[bytes], rest: bytes) -> None:
    content = b"".join(words) + rest

    (framed,) = recordio.framed(np.frombuffer(content, dtype=np.uint8)[np.newaxis])

    assert joined(bytes(framed)) == content


def joined(record: bytes) -> bytes:
    """A record's content, read as dmlc's reader does."""
    parts = []
    position = 0
    while position < len(record):
        magic, head = struct.unpack_from("<4sI", record, position)
        assert magic == MAGIC
        size = head & (1 << 29) - 1
        parts.append(record[position + 8 : position + 8 + size])
        position += 8 + size + -size % 4
    return MAGIC.join(parts)


def test_cntk_maps_images_in_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cntk, "IMAGES_PER_ARCHIVE", 2)
    images, labels = chunk((1, 2, 3), [7, 0, 12])
    cntk.write(
        [(images[:1], labels[:1]), (images[1:], labels[1:])], tmp_path / "test_map.txt", (1, 2, 3)
    )

    assert (tmp_path / "test_map.txt").read_text() == (
        ".../test/00000.zip@/00000000.png\t7\n"
        ".../test/00000.zip@/00000001.png\t0\n"
        ".../test/00001.zip@/00000002.png\t12\n"
    )
    stored = []
    for path in sorted((tmp_path / "test").iterdir()):
        with ZipFile(path) as archive:
            stored += [archive.read(name) for name in archive.namelist()]
    assert stored == [file.tobytes() for file in png.stored(images)]


def test_cntk_mean_file_holds_an_image_from_blue_to_red(tmp_path: Path) -> None:
    cntk.finish(tmp_path, {"image_shape": [3, 1, 2], "mean": [110.5, 120.25, 1 / 3]})

    root = ElementTree.parse(tmp_path / "mean.xml").getroot()
    assert [root.findtext(name) for name in ("Channel", "Row", "Col")] == ["3", "1", "2"]
    pixels = root.findtext("MeanImg/data", "").split()
    assert pixels == ["0.333333333", "120.25", "110.5"] * 2
    assert root.findtext("MeanImg/cols") == "6"


@pytest.mark.parametrize("shape", [(1, 28, 28), (3, 32, 32), (3, 13, 9), (1, 1, 1), (3, 300, 250)])
def test_png_is_lossless(shape: tuple[int, int, int]) -> None:
    images, _ = chunk(shape, [0, 1])

    for image, encoded in zip(images, png.stored(images), strict=True):
        decoded = np.asarray(Image.open(BytesIO(encoded.tobytes())))
        channels_last = decoded.reshape(*shape[1:], shape[0])
        np.testing.assert_array_equal(channels_last.transpose(2, 0, 1), image)


def test_png_checksums_are_right() -> None:
    (encoded,) = png.stored(chunk((3, 150, 150), [0])[0])

    rest = encoded.tobytes()[len(png.SIGNATURE) :]
    while rest:
        (size,) = struct.unpack_from(">I", rest)
        kind, content = rest[4:8], rest[8 : 8 + size]
        assert struct.unpack_from(">I", rest, 8 + size) == (zlib.crc32(kind + content),)
        if kind == b"IDAT":
            assert len(zlib.decompress(content)) == 150 * (1 + 3 * 150)
        rest = rest[12 + size :]


def test_png_refuses_other_channels() -> None:
    with pytest.raises(png.ChannelsError, match="1 or 3 channels, not of 4"):
        png.stored(chunk((4, 3, 2), [0])[0])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(("writer", "reader"), READERS, ids=["lmdb", "tfrecord"])
def test_reader_gives_what_was_written(
    writer: ModuleType, reader: ModuleType, shape: tuple[int, int, int], tmp_path: Path
) -> None:
    labels = [0, 1, 127, 128, 129, 16_383, 16_384, 5, 6, 7, 8]
    images, _ = expected = chunk(shape, labels)
    index = write(writer, [expected, (images[:0], expected[1][:0])], shape, tmp_path)

    batches = list(reader.batches(index, "test", 4))

    assert [len(stored) for _, stored in batches] == [4, 4, 3]
    np.testing.assert_array_equal(np.concatenate([stored for stored, _ in batches]), images)
    assert np.concatenate([stored for _, stored in batches]).tolist() == labels
    assert {(stored.dtype.name, stored_labels.dtype.name) for stored, stored_labels in batches} == {
        ("uint8", "int64")
    }


def write(
    writer: ModuleType, chunks: list[Chunk], shape: tuple[int, int, int], folder: Path
) -> dict[str, Any]:
    """Write the chunks as a split and return an index of it, as "train" and as "test"."""
    path = folder / f"split{writer.SUFFIX}"
    writer.write(chunks, path, shape)
    split = {"count": sum(len(labels) for _, labels in chunks), "path": str(path)}
    return {"image_shape": list(shape), "splits": {"train": split, "test": split}}


@pytest.mark.parametrize(("writer", "reader"), READERS, ids=["lmdb", "tfrecord"])
def test_training_batches_are_full(writer: ModuleType, reader: ModuleType, tmp_path: Path) -> None:
    index = write(writer, [chunk((1, 4, 4), [1, 2, 3, 4, 5])], (1, 4, 4), tmp_path)

    labels = [batch_labels.tolist() for _, batch_labels in reader.batches(index, "train", 2)]

    assert labels == [[1, 2], [3, 4]]


@pytest.mark.parametrize(("writer", "reader"), READERS, ids=["lmdb", "tfrecord"])
def test_reader_says_where_images_are_missing(
    writer: ModuleType, reader: ModuleType, tmp_path: Path
) -> None:
    index = write(writer, [chunk((1, 4, 4), [1, 2])], (1, 4, 4), tmp_path)
    index["splits"]["test"]["count"] = 3

    with pytest.raises(DataError, match="ends before its index says"):
        list(reader.batches(index, "test", 3))


@pytest.mark.parametrize(("writer", "reader"), READERS, ids=["lmdb", "tfrecord"])
def test_reader_refuses_another_shape(
    writer: ModuleType, reader: ModuleType, tmp_path: Path
) -> None:
    index = write(writer, [chunk((1, 4, 4), [1, 2])], (1, 4, 4), tmp_path)
    index["image_shape"] = [1, 5, 5]

    with pytest.raises(DataError, match="another shape"):
        list(reader.batches(index, "test", 2))


def test_lmdb_grows_beyond_its_first_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmdb, "FIRST_MAP_BYTES", 1 << 16)
    monkeypatch.setattr(protobuf, "BLOCK_BYTES", 1 << 16)
    shape = (3, 40, 40)
    images, labels = chunk(shape, list(range(500)))

    index = write(lmdb, [(images, labels)], shape, tmp_path)

    ((stored, _),) = lmdb_reader.batches(index, "test", 500)
    np.testing.assert_array_equal(stored, images)


@settings(max_examples=50)
@given(value=st.integers(min_value=0, max_value=2**62))
def test_varint_columns_equal_the_scalar_varint(value: int) -> None:
    pixels = np.zeros((1, 0), dtype=np.uint8)
    labels = np.array([value], dtype=np.int64)

    (table,) = protobuf.tables(pixels, labels, lambda size: protobuf.Layout(b"", b""))

    assert table.records.tobytes() == protobuf.varint(value)
