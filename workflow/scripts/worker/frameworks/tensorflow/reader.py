"""Reader of TFRecord by tf.data: of raw pixels in one file, of image files in shards.

Training images come from several shards at a time, in any order. Only the crop of an image file is
decoded.

Sources: https://www.tensorflow.org/guide/data_performance and the input of the official ResNet,
https://github.com/tensorflow/models/blob/master/official/legacy/image_classification/preprocessing.py.
"""

from functools import partial
from pathlib import Path
from typing import Tuple

import tensorflow as tf

from worker import devices
from worker.devices import WHOLE, Part
from worker.events import Unsupported
from worker.frameworks.tensorflow.releases import AUTOTUNE, RELEASE
from worker.input import dataset

EXAMPLE = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def batches(
    index: dataset.Index, split: str, batch_size: int, part: Part = WHOLE
) -> tf.data.Dataset:
    """A tf.data.Dataset of (images (n, H, W, C) float32 normalised, labels (n,) int64).

    "train" has full batches only, epoch after epoch without end, "test" every image once. Each
    batch has only the rows of `part`.
    """
    return (images if dataset.is_encoded(index) else pixels)(index, split, batch_size, part)


def normalise(images: tf.Tensor, index: dataset.Index) -> tf.Tensor:
    """Images (n, H, W, C) of any type as float32: (pixel - mean[channel]) * scale."""
    return (tf.cast(images, tf.float32) - index["mean"]) * index["scale"]


def pixels(index: dataset.Index, split: str, batch_size: int, part: Part) -> tf.data.Dataset:
    """Batches of raw pixels, decoded a whole batch at a time."""
    channels, height, width = index["image_shape"]

    def decode(examples: tf.Tensor) -> Tuple[tf.Tensor, tf.Tensor]:
        fields = tf.io.parse_example(rows(examples, part), EXAMPLE)
        images = tf.reshape(
            tf.io.decode_raw(fields["image"], tf.uint8), (-1, height, width, channels)
        )
        return normalise(images, index), fields["label"]

    examples = tf.data.TFRecordDataset(index["splits"][split]["path"])
    examples = examples.batch(batch_size, drop_remainder=split == "train")
    examples = examples.repeat() if split == "train" else examples
    return examples.map(decode, num_parallel_calls=AUTOTUNE)


def images(index: dataset.Index, split: str, batch_size: int, part: Part) -> tf.data.Dataset:
    """Batches of image files: random crops for "train", else central ones.

    Each part trains on its own images, and predicts its rows of each batch.
    """
    if RELEASE < (2, 5):
        raise Unsupported("TensorFlow decodes image files in several threads from 2.5 on")
    is_training = split == "train"
    examples = records(index, split, part)
    if is_training:
        dataset.check_batch(index, batch_size)
        count, batch_size = index["splits"][split]["count"] // part[1], batch_size // part[1]
        examples = examples.take(count // batch_size * batch_size).repeat()
    decoded = examples.map(
        partial(decode, index, is_training),
        num_parallel_calls=AUTOTUNE,
        deterministic=not is_training,
    )
    stacked = decoded.batch(batch_size, drop_remainder=is_training, num_parallel_calls=AUTOTUNE)
    row_part = WHOLE if is_training else part
    return stacked.map(
        lambda images, labels: (normalise(rows(images, row_part), index), rows(labels, row_part)),
        num_parallel_calls=AUTOTUNE,
    )


def rows(values: tf.Tensor, part: Part) -> tf.Tensor:
    """The rows of a part of a batch."""
    if part == WHOLE:
        return values
    size = values.shape[0]
    return values[devices.rows(tf.shape(values)[0] if size is None else size, *part)]


def records(index: dataset.Index, split: str, part: Part) -> tf.data.Dataset:
    """A tf.data.Dataset of serialised examples; for "train" those of a part.

    These are in the part's own files. Where there are too few files, it is every n-th example.
    """
    shards = sorted(str(path) for path in Path(index["splits"][split]["path"]).iterdir())
    if split != "train":
        return tf.data.TFRecordDataset(shards)
    number, count = part
    if len(shards) < count:
        return tf.data.TFRecordDataset(shards).shard(count, number)
    return tf.data.Dataset.from_tensor_slices(shards[number::count]).interleave(
        tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE, deterministic=False
    )


def decode(
    index: dataset.Index, is_training: bool, example: tf.Tensor
) -> Tuple[tf.Tensor, tf.Tensor]:
    """Decode the crop of an image, (H, W, C) in levels of 255, and its label."""
    fields = tf.io.parse_single_example(example, EXAMPLE)
    channels, height, width = index["image_shape"]
    size = tf.io.extract_jpeg_shape(fields["image"])[:2]
    side = dataset.resized_to(index)
    ratio = tf.cast(tf.reduce_min(size), tf.float32) / side if side else 1.0
    # The window of the image before it is resized.
    crop = tf.cast(tf.round(tf.constant([height, width], tf.float32) * ratio), tf.int32)
    corner = random_corner(size - crop) if is_training else (size - crop) // 2
    window = tf.concat([corner, crop], axis=0)
    image = tf.io.decode_and_crop_jpeg(fields["image"], window, channels=channels)
    image = tf.image.random_flip_left_right(image) if is_training else image
    image = tf.image.resize(image, (height, width)) if side else image
    image.set_shape((height, width, channels))
    return image, fields["label"]


def random_corner(room: tf.Tensor) -> tf.Tensor:
    """The random first pixel of a crop that can move by `room` pixels, down and right."""
    draws = tf.random.uniform([2], maxval=tf.int32.max, dtype=tf.int32)
    return draws % (room + 1)
