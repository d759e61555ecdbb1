"""Image files on their way into a storage format."""

from typing import NamedTuple


class Image(NamedTuple):
    """An image file's content, as it is to be stored, and the label."""

    content: bytes
    label: int
