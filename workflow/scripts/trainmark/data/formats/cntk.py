"""Images in archives, a map of their paths and labels, and a mean file, which CNTK reads.

Pixels are stored as PNG, image files as they are.

CNTK reads an image out of a zip archive as fast as a file of its own, and a few large files are
faster to write, to copy and to delete than tens of thousands of small ones. The paths begin with
"...", for which CNTK puts the folder of the map, so that a data set can be moved; in the path by
which it is told the map it takes neither "," nor "@".

Sources: https://learn.microsoft.com/en-us/previous-versions/cognitive-toolkit/brainscript-image-reader
(map, archives) and Examples/Image/DataSets/CIFAR-10/CIFAR-10_mean.xml in
https://github.com/microsoft/CNTK (mean file).
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

from trainmark.data.read.chunks import Chunk
from trainmark.data.write import lines, png
from trainmark.data.write.columns import rows
from trainmark.data.write.protobuf import blocks

ENCODING = "png"
SUFFIX = "_map.txt"

IMAGES_PER_ARCHIVE = 50_000
"""An archive's table of contents is kept in memory until the archive is closed."""
FILES_PER_ARCHIVE = 10_000
"""Images of an archive: ILSVRC12's take 1.1 GB, which needs no ZIP64."""
MEAN = """\
<?xml version="1.0" ?>
<opencv_storage>
  <Channel>{channels}</Channel>
  <Row>{height}</Row>
  <Col>{width}</Col>
  <MeanImg type_id="opencv-matrix">
    <rows>1</rows>
    <cols>{values}</cols>
    <dt>f</dt>
    <data>{data}</data>
  </MeanImg>
</opencv_storage>
"""


def write(chunks: Iterable[Chunk], path: Path, shape: tuple[int, int, int]) -> None:
    """Write images of `shape` (C, H, W) with `path` as their map (<split>_map.txt).

    The images go to <split>/00000.zip and so on. Raises png.ChannelsError for images that are
    neither grey nor RGB, and OSError.
    """
    with ArchiveWriter(path, ".png", IMAGES_PER_ARCHIVE) as writer:
        for images, labels in blocks(chunks):
            writer.append(zip(rows(png.stored(images)), labels.tolist(), strict=True))


class ArchiveWriter(AbstractContextManager["ArchiveWriter"]):
    """Adds encoded images to archives in the folder <split>, and their lines to the map `path`.

    An archive's lines are added when it is whole: by them an interrupted writer is gone on from.
    Raises OSError.
    """

    def __init__(self, path: Path, suffix: str, images_per_archive: int) -> None:
        self._folder = path.with_name(path.name.removesuffix(SUFFIX))
        self._folder.mkdir(exist_ok=True)
        self._suffix, self._images_per_archive = suffix, images_per_archive
        listed = lines.whole(path)
        self.written = len(listed) // images_per_archive * images_per_archive
        lines.cut(path, listed[: self.written])
        self._map = path.open("a", newline="\n")
        self._archive: ZipFile | None = None
        self._lines: list[str] = []

    def append(self, images: Iterable[tuple[bytes | memoryview, int]]) -> None:
        """Add a block of images, each with its label."""
        for content, label in images:
            if self._archive is None or self.written % self._images_per_archive == 0:
                self._close_archive()
                self._archive = self._new_archive()
            name = f"{self.written:08d}{self._suffix}"
            self._archive.writestr(ZipInfo(name), content)
            self._lines.append(f".../{self._folder.name}/{self._name}@/{name}\t{label}\n")
            self.written += 1

    def _new_archive(self) -> ZipFile:
        self._name = f"{self.written // self._images_per_archive:05d}.zip"
        self._lines = []
        return ZipFile(self._folder / self._name, "w")

    def _close_archive(self) -> None:
        if self._archive is not None:
            self._archive.close()
        self._map.writelines(self._lines)
        self._map.flush()

    def __exit__(self, *failure: object) -> None:
        """Close archive and map."""
        with self._map:
            self._close_archive()


class ImageWriter(ArchiveWriter):
    """Adds image files to archives, and their lines to the map `path`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, ".jpg", FILES_PER_ARCHIVE)


def finish(folder: Path, index: dict[str, Any]) -> None:
    """Write mean.xml: an image whose pixels are all the mean of the training images, as BGR.

    A row of the image is a line, since OpenCV reads none that is longer than 1 MiB.
    """
    channels, height, width = index["image_shape"]
    row = " ".join([f"{value:.9g}" for value in reversed(index["mean"])] * width)
    content = MEAN.format(
        channels=channels,
        height=height,
        width=width,
        values=channels * height * width,
        data="\n".join([row] * height),
    )
    (folder / "mean.xml").write_text(content, encoding="ascii")
