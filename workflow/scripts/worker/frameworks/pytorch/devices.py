"""PyTorch on several devices: DistributedDataParallel, with a process for each.

The statistics of batch norm are of each device's part of a batch; the running ones are the first
device's, which DistributedDataParallel hands to the others before each pass.
"""

import os

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

from worker.frameworks.pytorch import adapter
from worker.job import Job
from worker.ranks.all_devices import AllRanks, OneRank

HOST, ANY_PORT = "127.0.0.1", 0
BACKENDS = {"cpu": "gloo", "cuda": "nccl"}


class Joined(OneRank, adapter.Adapter):
    """The adapter of one device as one of several."""

    def __init__(self, job: Job, port: int, rank: int) -> None:
        super().__init__(job, rank)
        self.own = None
        if self.device.type == "cuda":
            torch.cuda.set_device(self.device)
            self.own = [self.device]
        backend, store = BACKENDS[self.device.type], distributed.TCPStore(HOST, port)
        distributed.init_process_group(backend, store=store, rank=rank, world_size=self.part[1])

    def joined(self, module: torch.nn.Module) -> DistributedDataParallel:
        return DistributedDataParallel(module, device_ids=self.own, gradient_as_bucket_view=True)

    def train_step(self, batch: adapter.Batch) -> torch.Tensor:
        loss = super().train_step(batch)
        distributed.reduce(loss, dst=0)
        return loss / self.part[1]


class AllDevices(AllRanks):
    """The adapter of all devices."""

    def __init__(self, job: Job) -> None:
        adapter.check(job)
        os.environ["GLOO_SOCKET_IFNAME"] = os.environ["NCCL_SOCKET_IFNAME"] = "lo"
        self.store = distributed.TCPStore(HOST, ANY_PORT, is_master=True, wait_for_workers=False)
        super().__init__(job, Joined, (self.store.port,), give_up)


def give_up() -> None:
    """Make what waits for a rank that has ended fail: NCCL would wait for it for ever."""
    distributed.group.WORLD.abort()
