"""A runtime: an adapter that only predicts, from the file of a network and its weights."""

from abc import abstractmethod
from typing import Any, Iterator, SupportsFloat

import numpy

from worker.adapter import Adapter
from worker.arrays import LabelledImages, Predictions, Weights
from worker.events import Unsupported
from worker.input import dataset, readers
from worker.input.prefetch import prefetch
from worker.input.readers import tfrecord
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.networks.neutral.recipe import Recipe


class Runtime(Adapter):
    """What all runtimes have in common: batches in the host's memory, and nothing of training."""

    job: Job
    network: Network

    def build(self, network: Network, recipe: Recipe) -> None:
        self.network = network

    def load(self, weights: Weights) -> None:
        self.held = weights
        self.open(self.network, weights)

    @abstractmethod
    def open(self, network: Network, weights: Weights) -> None:
        """Make the model's file, and load it in place of an earlier one."""

    def weights(self) -> Weights:
        """Those that it was loaded with: a runtime gives none back."""
        return self.held

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        return images, labels

    def batches(self, split: str) -> Iterator[LabelledImages]:
        stored = self.stored_batches(split)
        return prefetch(dataset.normalised(stored, dataset.of_job(self.job)))

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        index = dataset.of_job(self.job)
        read = readers.choose(tfrecord, index, self.job)
        return dataset.stream(read, index, split, self.job.batch_size)

    def predict(self, batch: LabelledImages) -> Predictions:
        return self.fetch(self.infer(batch)), batch[1]

    @abstractmethod
    def infer(self, batch: LabelledImages) -> Any:
        """Predict a whole batch; return its logits as they are."""

    def fetch(self, logits: numpy.ndarray) -> numpy.ndarray:
        return logits

    def synchronise(self) -> None:
        """Its calls return when they are done."""

    def set_rate(self, rate: float) -> None:
        raise Unsupported(f"{self.job.adapter} predicts only")

    def train_step(self, batch: LabelledImages) -> SupportsFloat:
        raise Unsupported(f"{self.job.adapter} predicts only")
