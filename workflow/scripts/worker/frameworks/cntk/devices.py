"""CNTK on several devices: its data-parallel learner, with a process for each.

Gradients, losses and numbers of images are added up over all. The statistics of batch norm are of
each device's part of a batch; those that are kept are the first device's, as in the checkpoints of
CNTK's own training session.
"""

import os
from typing import Dict, List

import cntk
from cntk.train import distributed

from worker import events
from worker.arrays import Predictions, Weights
from worker.frameworks.cntk import adapter
from worker.job import Job
from worker.ranks import mpi
from worker.ranks.all_devices import AllRanks, OneRank
from worker.ranks.rank import Held

NEED = "several devices need the mpiexec of CNTK's environment"


class Joined(OneRank, adapter.Adapter):
    """The adapter of one device as one of several."""

    def __init__(self, job: Job, places: List[Dict[str, str]], rank: int) -> None:
        os.environ.update(places[rank])
        super().__init__(job, rank)

    def join(self) -> None:
        """Initialise MPI, which waits for all ranks."""
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
        places = mpi.places(job.device_count)
        super().__init__(job, Joined, (places,), self.report)
        self.ranks.tell("join")
        self.has_trained = False

    def train_step(self, batch: Held) -> float:
        self.has_trained = True
        return super().train_step(batch)

    def predict(self, batch: Held) -> Predictions:
        if self.has_trained:
            self.ranks.tell("take", self.ranks.adapter.statistics())
            self.has_trained = False
        return super().predict(batch)
