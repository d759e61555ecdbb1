"""The attacked network: an adapter with trained weights, for pixels from 0 to 1."""

from typing import Callable, Dict

import numpy

from worker.adapter import Adapter
from worker.arrays import Batch, LabelledImages, filled
from worker.attacks.harness.unit_range import UnitRange
from worker.job import Job


class Target:
    """Answers an attack's requests, and counts the images of each kind of request."""

    def __init__(self, adapter: Adapter, job: Job) -> None:
        self.adapter, self.job, self.range = adapter, job, UnitRange(job)
        self.reset()

    def reset(self) -> None:
        """Set the counts of images to 0."""
        self.counts: Dict[str, int] = {"predictions": 0, "gradients": 0}

    def images(self, count: int) -> LabelledImages:
        """The first images of the test split, float32 (n, C, H, W), and their labels (n,)."""
        return self.range.first(self.adapter.stored_batches("test"), count)

    def answers(self) -> Dict[str, Callable[..., numpy.ndarray]]:
        """The method that answers each kind of request."""
        return {"predict": self.predict, "input_gradient": self.input_gradient}

    def predict(self, images: numpy.ndarray) -> numpy.ndarray:
        """The logits (n, classes) of images."""
        self.counts["predictions"] += len(images)
        return self._in_batches(lambda batch, _: self.adapter.predict(batch)[0], images, images)

    def input_gradient(self, images: numpy.ndarray, cotangents: numpy.ndarray) -> numpy.ndarray:
        """The gradient of sum(logits * cotangents) by the images; cotangents: (n, classes)."""
        self.counts["gradients"] += len(images)
        gradients = self._in_batches(self.adapter.input_gradient, images, cotangents)
        return self.range.pulled_back(gradients)

    def _in_batches(
        self,
        call: Callable[[Batch, numpy.ndarray], numpy.ndarray],
        images: numpy.ndarray,
        cotangents: numpy.ndarray,
    ) -> numpy.ndarray:
        """Call with full batches of the job's batch size: networks are compiled for that size."""
        size, parts = self.job.batch_size, []
        for begin in range(0, len(images), size):
            count = len(images[begin : begin + size])
            rows = slice(begin, begin + size)
            full, factors = (filled(array[rows], size) for array in (images, cotangents))
            labels = numpy.zeros(size, numpy.int64)
            batch = self.adapter.batch(self.range.normalised(full), labels)
            parts.append(numpy.asarray(call(batch, factors))[:count])
        return numpy.concatenate(parts)
