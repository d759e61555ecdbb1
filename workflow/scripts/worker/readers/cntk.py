"""Reader of PNG archives by CNTK's own ImageDeserializer, which decodes a batch ahead."""

from pathlib import Path

import cntk
import numpy
from cntk.io import transforms


class Reader:
    """One split in stored order, epoch after epoch, as values on the default device."""

    def __init__(self, index, split):
        self.source = minibatch_source(index, split)
        # CNTK gives the colours from blue to red, and the labels sparse.
        images = cntk.input_variable(index["image_shape"])
        labels = cntk.input_variable(index["classes"], is_sparse=True)
        colours = [cntk.slice(images, 0, c, c + 1) for c in range(images.shape[0])]
        normalised = cntk.splice(*reversed(colours), axis=0) * index["scale"]
        one_hot = cntk.times(labels, numpy.eye(index["classes"], dtype=numpy.float32))
        self.batch = cntk.combine(normalised, one_hot)
        self.streams = {images: self.source.streams.images, labels: self.source.streams.labels}

    def epoch(self, index, split, batch_size):
        """Yield one epoch of (images (n, C, H, W) normalised, labels (n, classes) one-hot).

        "train" gives full batches only: the images that fill none are passed over, so that the
        next epoch starts with the first one; "test" gives all images.
        """
        count = index["splits"][split]["count"]
        for start in range(0, count, batch_size):
            size = min(batch_size, count - start)
            found = self.source.next_minibatch(size, self.streams)
            if split != "train" or size == batch_size:
                values = self.batch.eval(found, as_numpy=False)  # CNTK uses their memory again
                yield [cntk.Value(values[v].data.deep_clone()) for v in self.batch.outputs]


def minibatch_source(index, split):
    """The images of a split less their mean, and their labels, without end."""
    path = Path(index["splits"][split]["path"])
    channels, height, width = index["image_shape"]
    steps = [
        transforms.scale(width, height, channels, interpolations="nearest"),
        transforms.mean(str(path.with_name("mean.xml"))),
    ]
    streams = cntk.io.StreamDefs(
        images=cntk.io.StreamDef(field="image", transforms=steps),
        labels=cntk.io.StreamDef(field="label", shape=index["classes"]),
    )
    deserializer = cntk.io.ImageDeserializer(str(path), streams)
    deserializer["grayscale"] = channels == 1
    return cntk.io.MinibatchSource(deserializer, randomize=False)
