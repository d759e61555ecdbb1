"""PyTorch on several devices: DistributedDataParallel, with a process for each.

Batch norm takes the statistics of each device's part of a batch; the running statistics are the
first device's, which DistributedDataParallel copies to the others before each pass.
"""

import os

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

from worker.frameworks.pytorch import adapter
from worker.job import Job
from worker.ranks.all_devices import AllRanks, OneRank
from worker.ranks.network import leader_address, own_interface

ANY_PORT = 0
BACKENDS = {"cpu": "gloo", "cuda": "nccl"}


class Joined(OneRank, adapter.Adapter):
    """The adapter of one of several devices."""

    def __init__(self, job: Job, port: int, rank: int) -> None:
        super().__init__(job, rank)
        self.device_ids = None
        if self.device.type == "cuda":
            torch.cuda.set_device(self.device)
            self.device_ids = [self.device]
        os.environ["GLOO_SOCKET_IFNAME"] = os.environ["NCCL_SOCKET_IFNAME"] = own_interface()
        backend = BACKENDS[self.device.type]
        store = distributed.TCPStore(leader_address(), port)
        distributed.init_process_group(backend, store=store, rank=rank, world_size=self.part[1])

    def joined(self, module: torch.nn.Module) -> DistributedDataParallel:
        return DistributedDataParallel(
            module, device_ids=self.device_ids, gradient_as_bucket_view=True
        )

    def train_step(self, batch: adapter.Batch) -> torch.Tensor:
        loss = super().train_step(batch)
        distributed.reduce(loss, dst=0)
        return loss / self.part[1]


class AllDevices(AllRanks):
    """The adapter of all devices."""

    def __init__(self, job: Job) -> None:
        adapter.check(job)
        self.store = distributed.TCPStore(
            leader_address(), ANY_PORT, is_master=True, wait_for_workers=False
        )
        super().__init__(job, Joined, (self.store.port,), give_up)


def give_up() -> None:
    """End all waiting for a rank that has ended: NCCL would wait for ever."""
    distributed.group.WORLD.abort()
