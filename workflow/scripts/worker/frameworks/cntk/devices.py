"""CNTK on several devices: its data-parallel learner, with a process for each.

Gradients, losses and numbers of images are summed over all devices. Batch norm takes the statistics
of each device's part of a batch; the running statistics are the first device's, as in the
checkpoints of CNTK's own training session.
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
from worker.ranks.rank import Handle

NEED = "several devices need the mpiexec of CNTK's environment"


class Joined(OneRank, adapter.Adapter):
    """The adapter of one of several devices; join() initialises it, once MPI has started."""

    def __init__(self, job: Job, rank: int) -> None:
        self.rank_job, self.rank = job, rank

    def host(self) -> str:
        """The address by which MPI knows this rank's node."""
        return own_address()

    def start_daemon(self, commands: Dict[str, str]) -> None:
        """Start MPI's daemon on this node, where this is the node's first device."""
        if self.rank % self.rank_job.node_device_count == 0 and self.host() in commands:
            mpi.start_daemon(commands[self.host()])

    def join(self, variables: List[mpi.Variables]) -> None:
        """Initialise MPI, which waits for all ranks; `variables` are those of each rank."""
        mpi.adopt(variables[self.rank])
        super().__init__(self.rank_job, self.rank)
        distributed.mpi_communicator()
        if distributed.Communicator.num_workers() != self.part[1]:
            raise events.Unsupported(f"{NEED}, and CNTK's MPI is another one")

    def joined(self, learner: cntk.learners.Learner) -> distributed.DistributedLearner:
        return distributed.data_parallel_distributed_learner(learner)

    def predict(self, batch: adapter.Batch) -> Predictions:
        """Predict; an empty batch gives (0, classes), as CNTK can't evaluate it."""
        images, labels = batch
        if images.shape[0]:
            return super().predict(batch)
        return labels.asarray(), labels.asarray().argmax(axis=1)

    def statistics(self) -> Weights:
        """The running statistics by name."""
        constants = {n: v for n, v in self.values.items() if isinstance(v, cntk.Constant)}
        return {name: constant.value for name, constant in constants.items()}

    def set_statistics(self, statistics: Weights) -> None:
        for name, value in statistics.items():
            self.values[name].value = value


class AllDevices(AllRanks):
    """The adapter of all devices."""

    def __init__(self, job: Job) -> None:
        adapter.check(job)
        if not mpi.MPIEXEC.exists():
            raise events.Unsupported(f"{NEED}, which isn't there")
        super().__init__(job, Joined, (), self.report)
        self.world = mpi.World(self.ranks.gather("host"))
        self.ranks.run("start_daemon", self.world.daemons())
        self.ranks.run("join", self.world.variables())
        self.has_trained = False

    def train_step(self, batch: Handle) -> float:
        self.has_trained = True
        return super().train_step(batch)

    def predict(self, batch: Handle) -> Predictions:
        if self.has_trained:
            self.ranks.run("set_statistics", self.ranks.adapter.statistics())
            self.has_trained = False
        return super().predict(batch)
