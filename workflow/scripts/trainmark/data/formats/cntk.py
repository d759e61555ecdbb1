"""PNG images in archives, a map of their paths and labels, and a mean file, which CNTK reads.

CNTK reads an image out of a zip archive as fast as a file of its own, and a few large files are
faster to write, to copy and to delete than tens of thousands of small ones. The paths begin with
"...", for which CNTK puts the folder of the map, so that a data set can be moved; in the path by
which it is told the map it takes neither "," nor "@".

Sources: https://learn.microsoft.com/en-us/previous-versions/cognitive-toolkit/brainscript-image-reader
(map, archives) and Examples/Image/DataSets/CIFAR-10/CIFAR-10_mean.xml in
https://github.com/microsoft/CNTK (mean file).
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

from trainmark.data import png
from trainmark.data.chunks import Chunk
from trainmark.data.columns import rows
from trainmark.data.records import blocks

ENCODING = "png"
SUFFIX = "_map.txt"

Image = tuple[memoryview, int]
"""A PNG file and its label."""
IMAGES_PER_ARCHIVE = 50_000
"""An archive's table of contents is kept in memory until the archive is closed."""
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
    folder = path.with_name(path.name.removesuffix(SUFFIX))
    folder.mkdir()
    images = enumerate(_encoded(chunks))
    with path.open("w", newline="\n") as lines:
        for archive, members in groupby(images, lambda image: image[0] // IMAGES_PER_ARCHIVE):
            lines.writelines(_archive(folder / f"{archive:05d}.zip", members))


def _archive(path: Path, images: Iterable[tuple[int, Image]]) -> Iterator[str]:
    """Write numbered images to an archive and yield their lines of the map."""
    with ZipFile(path, "x") as file:
        for number, (image, label) in images:
            name = f"{number:08d}.png"
            file.writestr(ZipInfo(name), image)
            yield f".../{path.parent.name}/{path.name}@/{name}\t{label}\n"


def _encoded(chunks: Iterable[Chunk]) -> Iterator[Image]:
    for images, labels in blocks(chunks):
        yield from zip(rows(png.stored(images)), labels.tolist(), strict=True)


def finish(folder: Path, index: dict[str, Any]) -> None:
    """Write mean.xml: an image whose pixels are all the mean of the training images, as BGR."""
    channels, height, width = index["image_shape"]
    pixels = [*reversed(index["mean"])] * (height * width)
    data = " ".join(f"{value:.9g}" for value in pixels)
    content = MEAN.format(
        channels=channels, height=height, width=width, values=len(pixels), data=data
    )
    (folder / "mean.xml").write_text(content, encoding="ascii")
