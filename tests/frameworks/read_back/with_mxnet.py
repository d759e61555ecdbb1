"""Read RecordIO with MXNet's image iterator, and every record by its index besides."""

import sys

import mxnet
import numpy

scripts, *folders = sys.argv[1:]
sys.path.append(scripts)
from worker.input import dataset  # noqa: E402

BATCH = 50


def read_in_order(path, shape):
    """All images (n, C, H, W) and labels (n,) as the image iterator gives them."""
    batches = mxnet.io.ImageRecordIter(path_imgrec=path, data_shape=shape, batch_size=BATCH)
    parts = [
        (
            batch.data[0].asnumpy()[: BATCH - batch.pad],
            batch.label[0].asnumpy()[: BATCH - batch.pad],
        )
        for batch in batches
    ]
    return [numpy.concatenate(part) for part in zip(*parts)]


def check_index(path, images, labels):
    """The index leads to the same records, numbered in order."""
    records = mxnet.recordio.MXIndexedRecordIO(path.replace(".rec", ".idx"), path, "r")
    for number, (image, label) in enumerate(zip(images, labels)):
        header, encoded = mxnet.recordio.unpack(records.read_idx(number))
        decoded = mxnet.image.imdecode(encoded, flag=int(len(image) == 3)).asnumpy()
        assert (header.label, header.id) == (label, number)
        assert (decoded.transpose(2, 0, 1) == image).all()


for folder in folders:
    index = dataset.load(folder + "/dataset.json")
    path = index["splits"]["test"]["path"]
    images, labels = read_in_order(path, index["image_shape"])
    check_index(path, images, labels)
    numpy.savez(folder + "/read.npz", images=images, labels=labels)
