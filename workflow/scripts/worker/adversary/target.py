"""What is attacked: an adapter with trained weights, asked in pixels from 0 to 1."""

from typing import Callable, Dict

import numpy

from worker.adapter import Adapter
from worker.arrays import Batch, LabelledImages
from worker.input.unit_range import UnitRange
from worker.job import Job


class Target:
    """Answers to an attack's questions; it counts the images that they are asked of."""

    def __init__(self, adapter: Adapter, job: Job) -> None:
        self.adapter, self.job, self.range = adapter, job, UnitRange(job)
        self.reset()

    def reset(self) -> None:
        """Count anew, from 0, the images of which logits and gradients are asked."""
        self.asked: Dict[str, int] = {"predictions": 0, "gradients": 0}

    def images(self, count: int) -> LabelledImages:
        """The first images of the test split, float32 (n, C, H, W), and their labels (n,)."""
        return self.range.first(self.adapter.stored_batches("test"), count)

    def answers(self) -> Dict[str, Callable[..., numpy.ndarray]]:
        """What answers each kind of question."""
        return {"predict": self.predict, "input_gradient": self.input_gradient}

    def predict(self, images: numpy.ndarray) -> numpy.ndarray:
        """The logits (n, classes) of images."""
        self.asked["predictions"] += len(images)
        return self._in_batches(lambda batch, _: self.adapter.predict(batch)[0], images, images)

    def input_gradient(self, images: numpy.ndarray, cotangents: numpy.ndarray) -> numpy.ndarray:
        """By the images, of the sum of logits times cotangents (n, classes)."""
        self.asked["gradients"] += len(images)
        found = self._in_batches(self.adapter.input_gradient, images, cotangents)
        return self.range.pulled_back(found)

    def _in_batches(
        self,
        call: Callable[[Batch, numpy.ndarray], numpy.ndarray],
        images: numpy.ndarray,
        beside: numpy.ndarray,
    ) -> numpy.ndarray:
        """Call with batches of the job's size alone, for which frameworks compile.

        The last one is filled up.
        """
        size, parts = self.job.batch_size, []
        for begin in range(0, len(images), size):
            count = len(images[begin : begin + size])
            given, others = (_filled(each[begin : begin + size], size) for each in (images, beside))
            labels = numpy.zeros(size, numpy.int64)
            batch = self.adapter.batch(self.range.normalised(given), labels)
            parts.append(numpy.asarray(call(batch, others))[:count])
        return numpy.concatenate(parts)


def _filled(array: numpy.ndarray, size: int) -> numpy.ndarray:
    """The same with zeros behind, up to a length."""
    missing = numpy.zeros((size - len(array), *array.shape[1:]), array.dtype)
    return numpy.concatenate([array, missing])
