"""CNTK on several devices: its data-parallel learner, with a process for each.

Gradients, losses and numbers of images are added up over all. The statistics of batch norm are of
each device's part of a batch; those that are kept are the first device's, as in the checkpoints of
CNTK's own training session.
"""

import os
import time

import cntk
from cntk.train import distributed

from worker import devices, events, mpi, ranks
from worker.frameworks._all_ranks import AllRanks, OneRank


class Joined(OneRank):
    """What the adapter of one device does otherwise as one of several."""

    def __init__(self, job, places, rank):
        os.environ.update(places[rank])
        super().__init__(job, rank)

    def joined(self, learner):
        learner = distributed.data_parallel_distributed_learner(learner)
        if distributed.Communicator.num_workers() != self.part[1]:
            raise RuntimeError("CNTK's MPI isn't the one that its environment's mpiexec is of")
        return learner

    def predict(self, batch):
        """Nothing where there are no images: CNTK evaluates nothing on none."""
        images, labels = batch
        if images.shape[0]:
            return super().predict(batch)
        return labels.asarray(), labels.asarray().argmax(axis=1)

    def statistics(self):
        """The values by name of what training doesn't learn."""
        constants = {n: v for n, v in self.values.items() if isinstance(v, cntk.Constant)}
        return {name: constant.value for name, constant in constants.items()}

    def take(self, statistics):
        for name, value in statistics.items():
            self.values[name].value = value


class Leader(AllRanks):
    """The adapter of all devices; `replica` is the class of one's. Raises ranks.RankFailed."""

    def __init__(self, job, replica):
        places = mpi.places(devices.parts(job["device"])[1])
        super().__init__(job, replica, (places,), self.give_up)

    def predict(self, batch):
        self.ranks.tell("take", self.ranks.adapter.statistics())
        return super().predict(batch)

    def give_up(self):
        """Tell of the rank that has ended, for which MPI would wait without end."""
        time.sleep(ranks.PATIENCE_SECONDS)  # for this process to fail with it by itself
        events.emit("error", kind="failed", message=f"RankFailed: {self.ranks.failure()}")
        os._exit(1)
