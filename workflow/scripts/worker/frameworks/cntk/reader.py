"""Reader of archives of images by CNTK's ImageDeserializer, which decodes a batch ahead.

Image files: it first cuts out a square of crop / 256 of the shorter side, and then resizes the
square to the crop's size.

Source: https://github.com/microsoft/CNTK/blob/master/Source/Readers/ImageReader/ImageTransformers.cpp.
"""

from pathlib import Path
from typing import Any, Iterator, List, Tuple

import cntk
import numpy
from cntk.io import transforms

from worker.events import Unsupported
from worker.input import dataset


class Reader:
    """One split in stored order, epoch after epoch, as values on the default device.

    part: (rank, count), the reader's number and the number of readers. The readers get images in
    turn, so each has an equal part of every batch whose size is a multiple of their number.
    """

    def __init__(self, index: dataset.Index, split: str, part: Tuple[int, int] = (0, 1)) -> None:
        self.part, self.source = part, minibatch_source(index, split)
        self.beginning = self.source.current_position
        # CNTK's colours are in the order blue, green, red, and its labels are sparse.
        images = cntk.input_variable(index["image_shape"])
        labels = cntk.input_variable(index["classes"], is_sparse=True)
        colours = [cntk.slice(images, 0, c, c + 1) for c in range(images.shape[0])]
        pixels = cntk.splice(*reversed(colours), axis=0)
        if not has_mean_file(index):
            pixels -= numpy.array(index["mean"], numpy.float32).reshape(-1, 1, 1)
        normalised = pixels * index["scale"]
        one_hot = cntk.times(labels, numpy.eye(index["classes"], dtype=numpy.float32))
        self.batch = cntk.combine(normalised, one_hot)
        self.outputs = self.batch.outputs
        self.streams = {images: self.source.streams.images, labels: self.source.streams.labels}

    def epoch(
        self, index: dataset.Index, split: str, batch_size: int
    ) -> Iterator[List[cntk.Value]]:
        """Yield one epoch of (images (n, C, H, W) normalised, labels (n, classes) one-hot).

        "train" gives full batches only, and skips the other images, so that the next epoch starts
        with the first one; "test" gives all images.
        """
        count = index["splits"][split]["count"]
        if count % self.part[1]:  # CNTK would continue with images of another reader
            self.source.current_position = self.beginning
        for start in range(0, count, batch_size):
            size = min(batch_size, count - start)
            batch = self._next(size)
            if split != "train" or size == batch_size:
                yield batch

    def _next(self, size: int) -> List[cntk.Value]:
        """The part of the next `size` images that belongs to this reader."""
        rank, readers = self.part
        if size <= rank:  # CNTK would read an image of the next epoch
            return [cntk.Value(numpy.empty((0, *v.shape), numpy.float32)) for v in self.outputs]
        minibatch = self.source.next_minibatch(size, self.streams, None, readers, rank)
        values = self.batch.eval(minibatch, as_numpy=False)  # CNTK reuses the values' memory
        return [cntk.Value(values[output].data.deep_clone()) for output in self.outputs]


def has_mean_file(index: dataset.Index) -> bool:
    """Whether the format's mean file gives the mean; it is only for images of one size."""
    return not (dataset.is_encoded(index) or index.get("has_own_mean", False))


def minibatch_source(index: dataset.Index, split: str) -> cntk.io.MinibatchSource:
    """The endless source of a split: pixels minus their mean, or crops, and labels."""
    path = Path(index["splits"][split]["path"])
    images = crops(index, split) if dataset.is_encoded(index) else pixels(index, path)
    streams = cntk.io.StreamDefs(
        images=cntk.io.StreamDef(field="image", transforms=images),
        labels=cntk.io.StreamDef(field="label", shape=index["classes"]),
    )
    deserializer = cntk.io.ImageDeserializer(str(path), streams)
    deserializer["grayscale"] = index["image_shape"][0] == 1
    return cntk.io.MinibatchSource(deserializer, randomize=False)


def pixels(index: dataset.Index, path: Path) -> List[Any]:
    """The transforms of images of one size: the mean file's mean is subtracted, if it applies."""
    channels, height, width = index["image_shape"]
    stored = transforms.scale(width, height, channels, interpolations="nearest")
    if not has_mean_file(index):
        return [stored]
    return [stored, transforms.mean(str(path.with_name("mean.xml")))]


def crops(index: dataset.Index, split: str) -> List[Any]:
    """The transforms of image files; raises Unsupported for crops that aren't square."""
    channels, height, width = index["image_shape"]
    if height != width:
        raise Unsupported("cntk crops a part of the shorter side, which is a square")
    side = index["short_side"] or dataset.SHORT_SIDE
    side_ratio = min(1, (height + 0.5) / side)  # CNTK rounds the product down
    crop_type = "randomside" if split == "train" else "center"  # "randomside" also mirrors
    return [
        transforms.crop(crop_type, side_ratio=side_ratio),
        transforms.scale(width, height, channels, interpolations="linear"),
    ]
