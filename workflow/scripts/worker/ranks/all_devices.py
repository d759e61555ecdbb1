"""An adapter of several devices: one adapter per device, each in its own process."""

import numpy

from worker import devices
from worker.ranks import leader


class AllRanks:
    """An adapter that passes each of its methods on to all ranks.

    `make(job, *arguments, rank)` makes the adapter of one device, a OneRank, in its own process.
    `wake()` unblocks whatever waits for a rank that has ended, or ends this process with an `error`
    event. All methods raise leader.RankFailed.
    """

    def __init__(self, job, make, arguments, wake):
        self.count = job.device_count
        self.ranks = leader.Leader(self.count, make, (job, *arguments), wake)

    def build(self, network):
        self.ranks.tell("build", network)

    def load(self, weights):
        self.ranks.tell("load", weights)

    def weights(self):
        return self.ranks.adapter.weights()

    def batch(self, images, labels):
        rows = [devices.rows(len(labels), rank, self.count) for rank in range(self.count)]
        return self.ranks.keep_each("batch", [(images[own], labels[own]) for own in rows])

    def batches(self, split):
        stream = self.ranks.keep("batches", split)
        batch = self.ranks.keep("following", stream)
        while self.ranks.own(batch) is not None:
            yield batch
            batch = self.ranks.keep("following", stream)

    def train_step(self, batch):
        return self.ranks.tell("train_step", batch)

    def predict(self, batch):
        logits, labels = zip(*self.ranks.ask("predict", batch))
        return numpy.concatenate(logits), numpy.concatenate(labels)

    def synchronise(self):
        self.ranks.ask("synchronise")

    def describe(self):
        told = self.ranks.ask("describe")
        names = [name for own in told for name in own["devices"]]
        return dict(told[0], threads=sum(own["threads"] for own in told), devices=names)


class OneRank:
    """What AllRanks needs of the adapter of one device, besides the usual methods."""

    def following(self, stream):
        """The next batch of a stream; None after the last."""
        return next(stream, None)
