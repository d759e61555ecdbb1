"""Where training batches come from: the three input modes, alike for every adapter."""

import itertools

from worker import dataset, parity


def training_batches(adapter, job):
    """An endless iterator of native batches of exactly the batch size.

    dataset: the adapter's own format, decoded while training; cached: one epoch of it, decoded
    beforehand; synthetic: one random batch, on the device.
    """
    if job["input_mode"] == "synthetic":
        return itertools.repeat(
            adapter.batch(*parity.fill(parity.fixed_batch(job), job["batch_size"]))
        )
    if job["input_mode"] == "cached":
        return itertools.cycle(list(one_epoch(adapter, job)))
    return iter(adapter.batches("train"))


def one_epoch(adapter, job):
    """The training batches of one epoch: those images that fill no batch are left out."""
    count = dataset.load(job["data"])["splits"]["train"]["count"]
    return itertools.islice(adapter.batches("train"), count // job["batch_size"])
