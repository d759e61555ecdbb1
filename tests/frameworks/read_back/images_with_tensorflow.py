"""Read image files from shards with TensorFlow's own parser, and decode them."""

import json
import sys
from pathlib import Path

import tensorflow as tf

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}

path, output = sys.argv[1:]
images = []
for record in tf.data.TFRecordDataset(sorted(map(str, Path(path).iterdir()))):
    example = tf.io.parse_single_example(record, FEATURES)
    assert tf.io.decode_jpeg(example["image"], channels=3).shape[2] == 3
    images.append((example["image"].numpy().hex(), int(example["label"])))
Path(output).write_text(json.dumps(images))
