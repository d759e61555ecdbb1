"""Where training batches come from: the three input modes, alike for every adapter."""

import itertools

from worker import parity


def training_batches(adapter, job):
    """An endless iterator of native batches of exactly the batch size.

    dataset: the adapter's own format, decoded while training, epoch after epoch;
    cached: one epoch decoded beforehand; synthetic: one random batch, on the device.
    """
    if job["input_mode"] == "synthetic":
        return itertools.repeat(
            adapter.batch(*parity.fill(parity.fixed_batch(job), job["batch_size"]))
        )
    if job["input_mode"] == "cached":
        return itertools.cycle(list(adapter.batches("train")))
    return _epochs(adapter)


def _epochs(adapter):
    while True:
        yield from adapter.batches("train")
