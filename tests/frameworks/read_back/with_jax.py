"""Read TFRecord files with the worker's reader in JAX's environment, through JAX arrays."""

import sys

import jax.numpy
import numpy

scripts, *folders = sys.argv[1:]
sys.path.append(scripts)
from worker.input import dataset  # noqa: E402
from worker.input.readers import tfrecord  # noqa: E402

for folder in folders:
    index = dataset.load(folder + "/dataset.json")
    batches = [map(jax.numpy.asarray, batch) for batch in tfrecord.batches(index, "test", 64)]
    images, labels = map(jax.numpy.concatenate, zip(*batches))
    numpy.savez(folder + "/read.npz", images=images, labels=labels)
