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
"""Images and labels, as many as a node's batch, and how many of them count."""


class Reader:
    """A data set, of which `part` tells the node: each has its rows of every batch.

    Image files it would decode in vain: of those each node trains on a part of the file.
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
            batch = iterator.next()  # whose arrays the iterator fills again
            rows = devices.rows(count, *self.part)
            own = slice(rows.start, rows.start + self.own_size)
            yield batch.data[0][own], batch.label[0][own], rows.stop - rows.start

    def _own_images(self, index: dataset.Index, split: str) -> Iterator[Read]:
        """The same of the images of one node: their last batch begins anew with the first ones."""
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
        """One for all epochs of a split: to make it takes as long as many a batch."""
        what = (split, index["scale"], *index["mean"])  # others where pixels stay as stored
        if what not in self.iterators:
            number, parts = part
            means = dict(zip(("mean_r", "mean_g", "mean_b"), index["mean"]))
            self.iterators[what] = mxnet.io.ImageRecordIter(
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
        return self.iterators[what]


def augmentation(index: dataset.Index, split: str) -> Dict[str, Any]:
    """Settings of ImageRecordIter: none for pixels, which are trained on as they are.

    Without rand_crop it takes the crop in the middle. With a seed of its own (seed_aug) it would
    crop alike in every epoch.
    """
    if not dataset.is_encoded(index):
        return {}
    is_training = split == "train"
    return {
        "resize": dataset.resized_to(index) or -1,
        "rand_crop": is_training,
        "rand_mirror": is_training,
    }
