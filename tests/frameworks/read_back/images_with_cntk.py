"""Read image files of one size with CNTK's image reader: pixels of blue, green, red."""

import sys

import cntk
import numpy

CLASSES = 1000

path, output = sys.argv[1:]
streams = cntk.io.StreamDefs(
    images=cntk.io.StreamDef(field="image", transforms=[]),
    labels=cntk.io.StreamDef(field="label", shape=CLASSES),
)
deserializer = cntk.io.ImageDeserializer(path, streams)
source = cntk.io.MinibatchSource(deserializer, randomize=False, max_sweeps=1)
batch = source.next_minibatch(1000)
images = batch[source.streams.images].asarray()[:, 0]
labels = batch[source.streams.labels].asarray()[:, 0].argmax(axis=1)
numpy.savez(output, images=images, labels=labels)
