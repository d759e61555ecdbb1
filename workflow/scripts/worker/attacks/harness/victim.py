"""The attacked network in the Toolbox's form; another process computes logits and gradients."""

from typing import Any, Callable, Optional

import numpy
from art.estimators.classification.classifier import ClassGradientsMixin, ClassifierMixin
from art.estimators.estimator import BaseEstimator, LossGradientsMixin

from worker.job import Job

Request = Callable[..., numpy.ndarray]
"""A function of "predict" and images, or of "input_gradient", images and the logits' cotangents."""


class Victim(ClassGradientsMixin, ClassifierMixin, LossGradientsMixin, BaseEstimator):
    """An attacked network: images (n, C, H, W) of pixels from 0 to 1, logits (n, classes).

    An attack may pass floats of any type; they are sent as float32.
    """

    estimator_params = BaseEstimator.estimator_params

    def __init__(self, job: Job, request: Request) -> None:
        super().__init__(model=None, clip_values=(0.0, 1.0))
        self._input_shape = tuple(job.image_shape)
        self._nb_classes, self._request = job.classes, request

    @property
    def input_shape(self) -> Any:
        """The shape of an image, which the Toolbox reads."""
        return self._input_shape

    def predict(self, x: numpy.ndarray, batch_size: int = 128, **_: Any) -> numpy.ndarray:
        """The logits."""
        return self._request("predict", _single(x))

    def loss_gradient(self, x: numpy.ndarray, y: numpy.ndarray, **_: Any) -> numpy.ndarray:
        """The gradient of the images' summed cross entropy by the images; y: one-hot (n, classes).

        The cotangents are the gradient of cross entropy by the logits: softmax(logits) - y.
        """
        logits = self.predict(x).astype(numpy.float64)
        exponentials = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        return self._gradient(x, exponentials / exponentials.sum(axis=1, keepdims=True) - y)

    def class_gradient(
        self, x: numpy.ndarray, label: Optional[Any] = None, **_: Any
    ) -> numpy.ndarray:
        """The gradient of logits by the images.

        label: None for the logits of all classes, which gives (n, classes, C, H, W); or one class,
        or a class for each image, which gives (n, 1, C, H, W).
        """
        classes = range(self._nb_classes) if label is None else [label]
        units = numpy.eye(self._nb_classes)
        parts = [self._gradient(x, units[numpy.broadcast_to(each, len(x))]) for each in classes]
        return numpy.stack(parts, axis=1)

    def _gradient(self, x: numpy.ndarray, cotangents: numpy.ndarray) -> numpy.ndarray:
        return self._request("input_gradient", _single(x), _single(cotangents))

    def fit(self, x: numpy.ndarray, y: numpy.ndarray, **_: Any) -> None:
        """Not supported: the network is trained already."""
        raise NotImplementedError

    def compute_loss(self, x: numpy.ndarray, y: numpy.ndarray, **_: Any) -> numpy.ndarray:
        """Not supported: none of the attacks calls it."""
        raise NotImplementedError


def _single(array: numpy.ndarray) -> numpy.ndarray:
    return numpy.ascontiguousarray(array, dtype=numpy.float32)
