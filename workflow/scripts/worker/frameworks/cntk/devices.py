"""CNTK on several devices: its data-parallel learner, with a process for each.

Gradients, losses and numbers of images are added up over all. The statistics of batch norm are of
each device's part of a batch; those that are kept are the first device's, as in the checkpoints of
CNTK's own training session.
"""

from typing import Dict, List

import cntk
from cntk.train import distributed

from worker import events
from worker.arrays import Predictions, Weights
from worker.frameworks.cntk import adapter
from worker.job import Job
from worker.ranks import mpi
from worker.ranks.all_devices import AllRanks, OneRank
from worker.ranks.network import own_address
from worker.ranks.rank import Held

NEED = "several devices need the mpiexec of CNTK's environment"


class Joined(OneRank, adapter.Adapter):
    """The adapter of one device as one of several; made once it has its place, by join()."""

    def __init__(self, job: Job, rank: int) -> None:
        self.own_job, self.rank = job, rank

    def host(self) -> str:
        """The address by which MPI knows this one's node."""
        return own_address()

    def start_daemon(self, commands: Dict[str, str]) -> None:
        """Start what MPI needs on this node, where this is its first device."""
        if self.rank % self.own_job.node_device_count == 0 and self.host() in commands:
            mpi.start_daemon(commands[self.host()])

    def join(self, places: List[mpi.Place]) -> None:
        """Initialise MPI, which waits for all ranks."""
        mpi.take(places[self.rank])
        super().__init__(self.own_job, self.rank)
        distributed.mpi_communicator()
        if distributed.Communicator.num_workers() != self.part[1]:
            raise events.Unsupported(f"{NEED}, and CNTK's MPI is another one")

    def joined(self, learner: cntk.learners.Learner) -> distributed.DistributedLearner:
        return distributed.data_parallel_distributed_learner(learner)

    def predict(self, batch: adapter.Batch) -> Predictions:
        """Of no images nothing, (0, classes) like their labels: CNTK evaluates no empty batch."""
        images, labels = batch
        if images.shape[0]:
            return super().predict(batch)
        return labels.asarray(), labels.asarray().argmax(axis=1)

    def statistics(self) -> Weights:
        """The values by name of what training doesn't learn."""
        constants = {n: v for n, v in self.values.items() if isinstance(v, cntk.Constant)}
        return {name: constant.value for name, constant in constants.items()}

    def take(self, statistics: Weights) -> None:
        for name, value in statistics.items():
            self.values[name].value = value


class AllDevices(AllRanks):
    """The adapter of all devices."""

    def __init__(self, job: Job) -> None:
        adapter.check(job)
        if not mpi.MPIEXEC.exists():
            raise events.Unsupported(f"{NEED}, which isn't there")
        super().__init__(job, Joined, (), self.report)
        self.world = mpi.World(self.ranks.ask("host"))
        self.ranks.tell("start_daemon", self.world.daemons())
        self.ranks.tell("join", self.world.places())
        self.has_trained = False

    def train_step(self, batch: Held) -> float:
        self.has_trained = True
        return super().train_step(batch)

    def predict(self, batch: Held) -> Predictions:
        if self.has_trained:
            self.ranks.tell("take", self.ranks.adapter.statistics())
            self.has_trained = False
        return super().predict(batch)
