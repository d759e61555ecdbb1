"""Read TFRecord files with tf.data and TensorFlow's own parser, which check every checksum."""

import sys

import numpy
import tensorflow as tf

scripts, *folders = sys.argv[1:]
sys.path.append(scripts)
from worker.input import dataset  # noqa: E402

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}

for folder in folders:
    index = dataset.load(folder + "/dataset.json")
    channels, height, width = index["image_shape"]
    images, labels = [], []
    for record in tf.data.TFRecordDataset(index["splits"]["test"]["path"]):
        example = tf.io.parse_single_example(record, FEATURES)
        pixels = tf.io.decode_raw(example["image"], tf.uint8)
        images.append(tf.reshape(pixels, (height, width, channels)).numpy().transpose(2, 0, 1))
        labels.append(example["label"].numpy())
    numpy.savez(folder + "/read.npz", images=images, labels=labels)
