"""The headers of a JPEG file, read without decoding the image.

Source: ITU-T Recommendation T.81, annex B, https://www.w3.org/Graphics/JPEG/itu-t81.pdf.
"""

from typing import NamedTuple

START, END = b"\xff\xd8", b"\xff\xd9"
MARKER = 0xFF
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers that begin a frame, of whatever coding; the three left out are tables."""
FRAME_BYTES = 10


class Header(NamedTuple):
    """The header of the image that is shown; thumbnails in a JPEG file are passed over."""

    height: int
    width: int
    components: int
    complete: bool
    """Whether the marker of the image's end is there."""


def header(content: bytes) -> Header | None:
    """The header of a JPEG file, or None where it is no JPEG file or ends before its frame."""
    if not content.startswith(START):
        return None
    position, size = len(START), len(content)
    while position + FRAME_BYTES <= size and content[position] == MARKER:
        marker = content[position + 1]
        if marker in FRAMES:
            return _header(content, position)
        # Any number of bytes 0xFF may stand before a marker.
        position += (
            1 if marker == MARKER else 2 + (content[position + 2] << 8 | content[position + 3])
        )
    return None


def _header(content: bytes, frame: int) -> Header:
    """Behind marker, length and precision stand height and width, and the number of components.

    Within the image's data 0xFF is followed by 0x00, so that the end's marker is found for sure,
    whatever stands behind it.
    """
    return Header(
        height=content[frame + 5] << 8 | content[frame + 6],
        width=content[frame + 7] << 8 | content[frame + 8],
        components=content[frame + 9],
        complete=content.rfind(END, frame) >= 0,
    )
