"""Read PNG archives with CNTK's image reader, with and without subtracting the mean file."""

import sys

import cntk
import numpy
from cntk.io import transforms

scripts, *folders = sys.argv[1:]
sys.path.append(scripts)
from worker.input import dataset  # noqa: E402

CLASSES = 1000


def read_in_order(path, shape, *more):
    """All images (n, C, H, W), their colours from blue to red, and labels (n,)."""
    channels, height, width = shape
    steps = [transforms.scale(width, height, channels, interpolations="nearest"), *more]
    streams = cntk.io.StreamDefs(
        images=cntk.io.StreamDef(field="image", transforms=steps),
        labels=cntk.io.StreamDef(field="label", shape=CLASSES),
    )
    deserializer = cntk.io.ImageDeserializer(path, streams)
    deserializer["grayscale"] = channels == 1
    source = cntk.io.MinibatchSource(deserializer, randomize=False, max_sweeps=1)
    images, labels = [], []
    while True:
        batch = source.next_minibatch(50)
        if not batch:
            return numpy.concatenate(images), numpy.concatenate(labels)
        images.append(batch[source.streams.images].asarray().reshape(-1, *shape))
        labels.append(batch[source.streams.labels].asarray().reshape(-1, CLASSES).argmax(axis=1))
        # Labels that are still held when a smaller batch is prefetched make CNTK fail now and then.
        del batch


for folder in folders:
    index = dataset.load(folder + "/dataset.json")
    path, shape = index["splits"]["test"]["path"], index["image_shape"]
    images, labels = read_in_order(path, shape)
    centred, _ = read_in_order(path, shape, transforms.mean(folder + "/mean.xml"))
    mean = numpy.array(index["mean"][::-1], dtype=numpy.float32)
    numpy.testing.assert_allclose(centred, images - mean[:, None, None], atol=1e-4)
    numpy.savez(folder + "/read.npz", images=images[:, ::-1], labels=labels)
