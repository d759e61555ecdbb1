"""Read LMDBs with the worker's reader in PyTorch's environment, through torch tensors."""

import sys

import numpy
import torch

scripts, *folders = sys.argv[1:]
sys.path.append(scripts)
from worker.input import dataset  # noqa: E402
from worker.input.readers import lmdb  # noqa: E402

for folder in folders:
    index = dataset.load(folder + "/dataset.json")
    batches = [map(torch.from_numpy, batch) for batch in lmdb.batches(index, "test", 64)]
    images, labels = map(torch.cat, zip(*batches))
    numpy.savez(folder + "/read.npz", images=images.numpy(), labels=labels.numpy())
