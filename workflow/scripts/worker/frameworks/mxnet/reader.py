"""Reading by MXNet's ImageRecordIter, which decodes ahead and augments image files.

Source: https://mxnet.apache.org/versions/1.9.1/api/python/docs/api/mxnet/io/index.html.
"""

from typing import Any, Dict, Iterator, Tuple

import mxnet
from mxnet import nd

from worker import devices
from worker.input import dataset
from worker.job import Job

Read = Tuple[nd.NDArray, nd.NDArray, int]
"""A node's batch of images and labels, and how many of them aren't padding."""


class Reader:
    """A data set for one node, `part` of all: each node has its rows of every batch.

    Of image files each node trains on a part of the file, as others would be decoded in vain.
    """

    def __init__(self, job: Job, part: devices.Part) -> None:
        self.job, self.part = job, part
        self.own_size = job.batch_size // part[1]
        self.iterators: Dict[Tuple[Any, ...], mxnet.io.DataIter] = {}

    def epoch(self, index: dataset.Index, split: str, batch_size: int) -> Iterator[Read]:
        """Yield an epoch: "train" full batches only, "test" every image of the split once."""
        if self._has_own_images(index, split):
            yield from self._own_images(index, split)
            return
        iterator = self._iterator(index, split, batch_size)
        iterator.reset()
        for count in dataset.batch_sizes(index, split, batch_size):
            batch = iterator.next()  # the iterator reuses its arrays
            rows = devices.rows(count, *self.part)
            padded = slice(rows.start, rows.start + self.own_size)
            yield batch.data[0][padded], batch.label[0][padded], rows.stop - rows.start

    def _own_images(self, index: dataset.Index, split: str) -> Iterator[Read]:
        """Yield an epoch of one node's images; the last batch is filled up with the first ones."""
        iterator = self._iterator(index, split, self.own_size, self.part)
        iterator.reset()
        for batch in iterator:
            yield batch.data[0], batch.label[0], self.own_size

    def _has_own_images(self, index: dataset.Index, split: str) -> bool:
        return self.part != devices.WHOLE and split == "train" and dataset.is_encoded(index)

    def _iterator(
        self,
        index: dataset.Index,
        split: str,
        batch_size: int,
        part: devices.Part = devices.WHOLE,
    ) -> mxnet.io.DataIter:
        """The iterator for all epochs of a split; making it takes the time of several batches."""
        key = (split, index["scale"], *index["mean"])  # which differ for stored pixels
        if key not in self.iterators:
            number, parts = part
            means = dict(zip(("mean_r", "mean_g", "mean_b"), index["mean"]))
            self.iterators[key] = mxnet.io.ImageRecordIter(
                path_imgrec=index["splits"][split]["path"],
                data_shape=tuple(index["image_shape"]),
                batch_size=batch_size,
                scale=index["scale"],
                preprocess_threads=self.job.threads,
                part_index=number,
                num_parts=parts,
                round_batch=part != devices.WHOLE,
                verbose=False,
                **means,
                **augmentation(index, split),
            )
        return self.iterators[key]


def augmentation(index: dataset.Index, split: str) -> Dict[str, Any]:
    """Settings of ImageRecordIter for image files; none for pixels.

    Without rand_crop the crop is in the middle. With a seed (seed_aug), crops would be the same in
    every epoch.
    """
    if not dataset.is_encoded(index):
        return {}
    is_training = split == "train"
    return {
        "resize": dataset.resized_to(index) or -1,
        "rand_crop": is_training,
        "rand_mirror": is_training,
    }
