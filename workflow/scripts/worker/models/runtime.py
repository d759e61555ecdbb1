"""A runtime: an adapter that only predicts, from model files."""

import hashlib
import tempfile
import time
from abc import abstractmethod
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, SupportsFloat

import numpy

from worker import events, networks
from worker.adapter import Adapter
from worker.arrays import LabelledImages, Predictions, Weights
from worker.input import dataset, fixed_batch, readers
from worker.input.prefetch import normalised_batches
from worker.input.readers import tfrecord
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import UpdateRule

KEPT = "model"
"""The folder, in the working folder, in which model files of trained weights are kept."""

Files = Dict[str, bytes]
"""The contents of a model's files by their names."""


class Runtime(Adapter):
    """The base class of runtimes: model files, batches in the host's memory, and no training."""

    job: Job
    keeps_files = False
    """Whether the model files are kept: those of trained weights are."""
    first_load_seconds: Optional[float] = None
    """The seconds of this process's first load, which includes the runtime's own preparation."""

    @abstractmethod
    def export(self, network: Network, weights: Weights) -> Files:
        """Make the model's files in the form that the job's precision names."""

    @abstractmethod
    def open(self, folder: Path) -> None:
        """Load the model from its files, in place of an earlier one."""

    @abstractmethod
    def infer(self, batch: LabelledImages) -> Any:
        """Predict a whole batch; return the runtime's own logits."""

    def expect_trained(self, batches: List[numpy.ndarray]) -> None:
        """From now on keep the model files, and calibrate int8-static on these batches.

        batches: images (n, C, H, W). Before this call, the proof calibrates on random images.
        """
        self.calibration, self.keeps_files = batches, True

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        if networks.is_language_model(self.job.network):
            raise events.Unsupported(f"{self.job.adapter} runs no language model")
        self.network = network
        self.calibration = [fixed_batch.whole(self.job)[0]]

    def load(self, weights: Weights) -> None:
        """Export the model's files, load them, and emit the seconds of export and load."""
        self.loaded = weights
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(KEPT if self.keeps_files else self.temporary.name).absolute()
        export_start = time.monotonic()
        files = self.export(self.network, weights)
        export_end = time.monotonic()
        write(files, self.folder)
        load_start = time.monotonic()
        self.open(self.folder)
        if self.first_load_seconds is None:
            self.first_load_seconds = time.monotonic() - load_start
        events.emit(
            "model",
            files={name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
            bytes=sum(map(len, files.values())),
            export_seconds=export_end - export_start,
            load_seconds=self.first_load_seconds,
        )

    def described(self, version: str, libraries: Dict[str, str], **others: Any) -> Dict[str, Any]:
        """The fields of the `environment` event; `others` replace those that all runtimes share."""
        fields: Dict[str, Any] = {
            "framework": self.job.adapter,
            "version": version,
            "threads": self.job.threads,
            "libraries": libraries,
            "flags": {},
            "devices": ["cpu"],
            "device_batch_size": self.job.batch_size,
        }
        return {**fields, **others}

    def weights(self) -> Weights:
        """The weights that load() was called with, since a runtime can't return its weights."""
        return self.loaded

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> LabelledImages:
        """The images, contiguous: else a runtime would copy them in each call."""
        return numpy.ascontiguousarray(images), labels

    def batches(self, split: str) -> Iterator[LabelledImages]:
        return normalised_batches(self, split)

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        index = dataset.of_job(self.job)
        read = readers.choose(tfrecord, index, self.job)
        return dataset.stream(read, index, split, self.job.batch_size)

    def predict(self, batch: LabelledImages) -> Predictions:
        labels = batch[1]
        return self.fetch(self.infer(batch))[: len(labels)], labels

    def fetch(self, logits: numpy.ndarray) -> numpy.ndarray:
        return logits

    def synchronise(self) -> None:
        """Nothing to wait for: calls return when they are done."""

    def set_rate(self, rate: float) -> None:
        raise events.Unsupported(f"{self.job.adapter} predicts only")

    def train_step(self, batch: LabelledImages) -> SupportsFloat:
        raise events.Unsupported(f"{self.job.adapter} predicts only")


def write(files: Files, folder: Path) -> None:
    """Write model files to a folder, and remove all other files from it."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
