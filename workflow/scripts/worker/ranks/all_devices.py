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
from worker.ranks.rank import Held


class AllRanks(Adapter):
    """An adapter that passes each of its methods on to all ranks.

    `make(job, *arguments, rank)` makes the adapter of one device, a OneRank, in its own process.
    `wake()` unblocks whatever waits for a rank that has ended, or ends this process with an `error`
    event. `of_each` is how many ranks a node has, if not one for each of its devices. All methods
    raise RankFailed.
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
        """Report the rank that has ended, and end: a `wake` where nothing else ends the wait."""
        failure = self.ranks.failure()
        events.emit("error", kind="failed", message=f"{type(failure).__name__}: {failure}")
        os._exit(1)

    def leave(self) -> None:
        """Have all ranks leave each other, by a method of theirs, before the interpreter ends.

        For frameworks that would wait then for a rank that has ended.
        """
        if self.ranks.failure():
            end_now()
        self.ranks.tell("leave")

    def _end_after_failure(self) -> None:
        """Where a rank has failed, end before the interpreter does.

        Threads of a framework that come back to an interpreter that has ended abort the process.
        """
        if self.ranks.has_failed():
            end_now()

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        self.ranks.tell("build", network, update_rule)

    def load(self, weights: Weights) -> None:
        self.ranks.tell("load", weights)

    def set_rate(self, rate: float) -> None:
        self.ranks.tell("set_rate", rate)

    def weights(self) -> Weights:
        weights: Weights = self.ranks.adapter.weights()
        return weights

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> Held:
        rows = [devices.rows(len(labels), rank, self.count) for rank in range(self.count)]
        return self.ranks.keep_each("batch", [(images[own], labels[own]) for own in rows])

    def batches(self, split: str) -> Iterator[Held]:
        stream = self.ranks.keep("batches", split)
        batch = self.ranks.keep("following", stream)
        while self.ranks.own(batch) is not None:
            yield batch
            batch = self.ranks.keep("following", stream)

    def train_step(self, batch: Held) -> Any:
        return self.ranks.tell("train_step", batch)

    def predict(self, batch: Held) -> Predictions:
        logits, labels = zip(*self.ranks.ask("predict", batch))
        return numpy.concatenate(logits), numpy.concatenate(labels)

    def compute_types(self, batch: Held) -> List[str]:
        types: List[str] = self.ranks.ask("compute_types", batch)[0]
        return types

    def synchronise(self) -> None:
        self.ranks.ask("synchronise")

    def describe(self) -> Dict[str, Any]:
        told = self.ranks.ask("describe")
        names = [name for own in told for name in own["devices"]]
        return dict(told[0], threads=sum(own["threads"] for own in told), devices=names)


class OneRank:
    """What AllRanks needs of the adapter of one device, besides the usual methods."""

    def following(self, stream: Iterator[Batch]) -> Batch:
        """The next batch of a stream; None after the last."""
        return next(stream, None)


def end_now() -> None:
    """End this process as failed, before the interpreter does, with all that was printed."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)
