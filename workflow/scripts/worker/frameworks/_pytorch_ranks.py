"""PyTorch on several devices: DistributedDataParallel, with a process for each.

The statistics of batch norm are of each device's part of a batch; the running ones are the first
device's, which DistributedDataParallel hands to the others before each pass.
"""

import os

import numpy
import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

from worker import devices, ranks

HOST, ANY_PORT = "127.0.0.1", 0
BACKENDS = {"cpu": "gloo", "cuda": "nccl"}


class Joined:
    """What the adapter of one device does otherwise as one of several."""

    def __init__(self, job, port, rank):
        super().__init__(job, rank)
        self.own = None
        if self.device.type == "cuda":
            torch.cuda.set_device(self.device)
            self.own = [self.device]
        backend, store = BACKENDS[self.device.type], distributed.TCPStore(HOST, port)
        distributed.init_process_group(backend, store=store, rank=rank, world_size=self.part[1])

    def joined(self, module):
        return DistributedDataParallel(module, device_ids=self.own, gradient_as_bucket_view=True)

    def train_step(self, batch):
        loss = super().train_step(batch)
        distributed.reduce(loss, dst=0)
        return loss / self.part[1]

    def following(self, stream):
        """The next batch of a stream, None behind the last."""
        return next(stream, None)


class Leader:
    """The adapter of all devices; `replica` is the class of one's. Raises ranks.RankFailed."""

    def __init__(self, job, replica):
        os.environ["GLOO_SOCKET_IFNAME"] = os.environ["NCCL_SOCKET_IFNAME"] = "lo"
        self.count = devices.parts(job["device"])[1]
        self.store = distributed.TCPStore(HOST, ANY_PORT, is_master=True, wait_for_workers=False)
        self.ranks = ranks.Leader(self.count, replica, (job, self.store.port), give_up)

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


def give_up():
    """Let what waits for a rank that has ended fail: NCCL would wait for it without end."""
    distributed.group.WORLD.abort()
