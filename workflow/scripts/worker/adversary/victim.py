"""A framework as the Toolbox sees one: logits and input gradients that another process computes."""

from typing import Any, Callable, Optional

import numpy
from art.estimators.classification.classifier import ClassGradientsMixin, ClassifierMixin
from art.estimators.estimator import BaseEstimator, LossGradientsMixin

from worker.job import Job

Ask = Callable[..., numpy.ndarray]
"""Given "predict" and images, or "input_gradient", images and cotangents of their logits."""


class Victim(ClassGradientsMixin, ClassifierMixin, LossGradientsMixin, BaseEstimator):
    """A network that is attacked: images (n, C, H, W) of pixels from 0 to 1, logits (n, classes).

    An attack may ask with arrays of any type of floats; what goes over the pipe is float32.
    """

    estimator_params = BaseEstimator.estimator_params

    def __init__(self, job: Job, ask: Ask) -> None:
        super().__init__(model=None, clip_values=(0.0, 1.0))
        self._input_shape = tuple(job.image_shape)
        self._nb_classes, self._ask = job.classes, ask

    @property
    def input_shape(self) -> Any:
        """The shape of an image, which the Toolbox asks for."""
        return self._input_shape

    def predict(self, x: numpy.ndarray, batch_size: int = 128, **given: Any) -> numpy.ndarray:
        """The logits."""
        return self._ask("predict", _single(x))

    def loss_gradient(self, x: numpy.ndarray, y: numpy.ndarray, **given: Any) -> numpy.ndarray:
        """By the images, of the sum of their cross entropies with labels y: one-hot (n, classes).

        The cotangents are those of cross entropy behind softmax: probabilities less labels.
        """
        logits = self.predict(x).astype(numpy.float64)
        odds = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        return self._gradient(x, odds / odds.sum(axis=1, keepdims=True) - y)

    def class_gradient(
        self, x: numpy.ndarray, label: Optional[Any] = None, **given: Any
    ) -> numpy.ndarray:
        """By the images, of the logit of one class or of each image's (n, 1, …), or of all."""
        chosen = range(self._nb_classes) if label is None else [label]
        units = numpy.eye(self._nb_classes)
        parts = [self._gradient(x, units[numpy.broadcast_to(each, len(x))]) for each in chosen]
        return numpy.stack(parts, axis=1)

    def _gradient(self, x: numpy.ndarray, cotangents: numpy.ndarray) -> numpy.ndarray:
        return self._ask("input_gradient", _single(x), _single(cotangents))

    def fit(self, x: numpy.ndarray, y: numpy.ndarray, **given: Any) -> None:
        """Not of this process: the network is trained."""
        raise NotImplementedError

    def compute_loss(self, x: numpy.ndarray, y: numpy.ndarray, **given: Any) -> numpy.ndarray:
        """None of the attacks asks for it."""
        raise NotImplementedError


def _single(array: numpy.ndarray) -> numpy.ndarray:
    return numpy.ascontiguousarray(array, dtype=numpy.float32)
