"""An adapter of several devices: one adapter per device, each in its own process."""

import atexit
import os
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy

from worker import devices, events
from worker.adapter import Adapter
from worker.arrays import Batch, Predictions, Weights
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import UpdateRule
from worker.ranks import leader
from worker.ranks.rank import Handle


class AllRanks(Adapter):
    """An adapter that passes each of its methods on to all ranks; all methods raise RankFailed.

    make(job, *arguments, rank): makes the adapter of one device, a OneRank, in its own process.
    wake(): unblocks all calls that wait for a rank that has ended, or ends this process with an
    `error` event. of_each: the number of ranks per node, by default one per device.
    """

    def __init__(
        self,
        job: Job,
        make: Callable[..., "OneRank"],
        arguments: Tuple[Any, ...],
        wake: Callable[[], Any],
        of_each: Optional[int] = None,
    ) -> None:
        self.job, nodes = job, job.node_count
        self.count = nodes * (of_each or job.node_device_count)
        self.ranks = leader.Leader(self.count, make, (job, *arguments), wake, nodes)
        atexit.register(self._end_after_failure)

    def report(self) -> None:
        """Emit the error of the rank that ended, and end this process.

        The `wake` of frameworks whose waiting calls can't be unblocked.
        """
        failure = self.ranks.failure()
        events.emit("error", kind="failed", message=f"{type(failure).__name__}: {failure}")
        os._exit(1)

    def leave(self) -> None:
        """Have each rank leave the others before the interpreter ends.

        For frameworks that would otherwise wait for a rank that has ended.
        """
        if self.ranks.failure():
            end_now()
        self.ranks.run("leave")

    def _end_after_failure(self) -> None:
        """End the process before the interpreter shuts down, if a rank has failed.

        A framework's threads would abort the process when they return to an ended interpreter.
        """
        if self.ranks.has_failed():
            end_now()

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        self.ranks.run("build", network, update_rule)

    def load(self, weights: Weights) -> None:
        self.ranks.run("load", weights)

    def set_rate(self, rate: float) -> None:
        self.ranks.run("set_rate", rate)

    def weights(self) -> Weights:
        weights: Weights = self.ranks.adapter.weights()
        return weights

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> Handle:
        rows = [devices.rows(len(labels), rank, self.count) for rank in range(self.count)]
        return self.ranks.hold_each("batch", [(images[part], labels[part]) for part in rows])

    def batches(self, split: str) -> Iterator[Handle]:
        stream = self.ranks.hold("batches", split)
        batch = self.ranks.hold("next_batch", stream)
        while self.ranks.result_of(batch) is not None:
            yield batch
            batch = self.ranks.hold("next_batch", stream)

    def train_step(self, batch: Handle) -> Any:
        return self.ranks.run("train_step", batch)

    def predict(self, batch: Handle) -> Predictions:
        logits, labels = zip(*self.ranks.gather("predict", batch))
        return numpy.concatenate(logits), numpy.concatenate(labels)

    def compute_types(self, batch: Handle) -> List[str]:
        types: List[str] = self.ranks.gather("compute_types", batch)[0]
        return types

    def synchronise(self) -> None:
        self.ranks.gather("synchronise")

    def describe(self) -> Dict[str, Any]:
        ranks = self.ranks.gather("describe")
        names = [name for rank in ranks for name in rank["devices"]]
        return dict(ranks[0], threads=sum(rank["threads"] for rank in ranks), devices=names)


class OneRank:
    """The methods that AllRanks calls on a device's adapter beside those of an Adapter."""

    def next_batch(self, stream: Iterator[Batch]) -> Batch:
        """The next batch of a stream; None after the last."""
        return next(stream, None)


def end_now() -> None:
    """End this process as failed, without the interpreter's shutdown; output is flushed first."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)
