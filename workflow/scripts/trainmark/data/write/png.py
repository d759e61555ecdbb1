"""PNG images whose pixels are stored, not compressed, made by numpy for many images at once.

A stored image is about as large as the raw pixels in the other formats, has the same length
whatever its pixels, and is decoded by copying. Compressing takes longer than all the rest of a
conversion and would burden the frameworks that read PNG with inflating it in every epoch.

Sources: https://www.w3.org/TR/png-3/, https://www.rfc-editor.org/rfc/rfc1950 (zlib) and
https://www.rfc-editor.org/rfc/rfc1951, section 3.2.4 (stored blocks).
"""

import struct
import zlib

from trainmark.data.write.columns import Bytes, as_bytes, channels_last, checksums, rows, table
from trainmark.errors import TrainmarkError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_TYPES = {1: 0, 3: 2}
"""PNG's colour type by the number of channels: grey, RGB."""
ZLIB_HEADER = b"\x78\x01"
STORED_BYTES = 0xFFFF
"""The most bytes in one stored block."""
CHECKSUM = bytes(4)
"""The place of a checksum that is filled in later."""


class ChannelsError(TrainmarkError):
    """Images that are neither grey nor RGB."""


def stored(images: Bytes) -> Bytes:
    """PNG files (n, bytes) of images (n, C, H, W), grey or RGB; raises ChannelsError for others."""
    lines = _scan_lines(images)
    blocks = _stored_blocks(lines)
    data_bytes = len(ZLIB_HEADER) + sum(_width(block) for block in blocks) + len(CHECKSUM)
    before = SIGNATURE + _header(images) + struct.pack(">I", data_bytes)
    adler = as_bytes(checksums(zlib.adler32, rows(lines)), ">u4")
    files = table(len(images), before, b"IDAT", ZLIB_HEADER, *blocks, adler, CHECKSUM, END)
    after = len(CHECKSUM) + len(END)
    sums = checksums(zlib.crc32, rows(files, first=len(before), last=after))
    files[:, -after : -len(END)] = as_bytes(sums, ">u4")
    return files


def _chunk(kind: bytes, content: bytes) -> bytes:
    checked = kind + content
    return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))


END = _chunk(b"IEND", b"")


def _header(images: Bytes) -> bytes:
    channels, height, width = images.shape[1:]
    if channels not in COLOUR_TYPES:
        raise ChannelsError(f"PNG holds images of 1 or 3 channels, not of {channels}")
    content = struct.pack(">IIBBBBB", width, height, 8, COLOUR_TYPES[channels], 0, 0, 0)
    return _chunk(b"IHDR", content)


def _scan_lines(images: Bytes) -> Bytes:
    """The lines of each image, each behind a zero for "no filter": (n, H * (1 + W * C))."""
    count, channels, height, width = images.shape
    pixels = channels_last(images).reshape(count * height, width * channels)
    return table(count * height, b"\0", pixels).reshape(count, height * (1 + width * channels))


def _stored_blocks(lines: Bytes) -> list[bytes | Bytes]:
    """Deflate's stored blocks of each image: alternately the head and the bytes of a block."""
    parts: list[bytes | Bytes] = []
    for first in range(0, lines.shape[1], STORED_BYTES):
        content = lines[:, first : first + STORED_BYTES]
        size = content.shape[1]
        final = first + size == lines.shape[1]
        parts += [struct.pack("<BHH", final, size, size ^ 0xFFFF), content]
    return parts


def _width(part: bytes | Bytes) -> int:
    return len(part) if isinstance(part, bytes) else part.shape[1]
