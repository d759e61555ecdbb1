"""The network as the Toolbox sees it: another process computes logits and input gradients."""

from typing import Any, Callable, Optional

import numpy
from art.estimators.classification.classifier import ClassGradientsMixin, ClassifierMixin
from art.estimators.estimator import BaseEstimator, LossGradientsMixin

from worker.job import Job

Request = Callable[..., numpy.ndarray]
"""Takes "predict" and images, or "input_gradient", images and cotangents of their logits."""


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
        """The shape of an image, which the Toolbox asks for."""
        return self._input_shape

    def predict(self, x: numpy.ndarray, batch_size: int = 128, **_: Any) -> numpy.ndarray:
        """The logits."""
        return self._request("predict", _single(x))

    def loss_gradient(self, x: numpy.ndarray, y: numpy.ndarray, **_: Any) -> numpy.ndarray:
        """The gradient by the images of their summed cross entropy; y: one-hot (n, classes).

        The cotangents are those of cross entropy behind softmax: probabilities less labels.
        """
        logits = self.predict(x).astype(numpy.float64)
        odds = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        return self._gradient(x, odds / odds.sum(axis=1, keepdims=True) - y)

    def class_gradient(
        self, x: numpy.ndarray, label: Optional[Any] = None, **_: Any
    ) -> numpy.ndarray:
        """The gradient by the images of logits: of all classes, of one, or of each image's label.

        Shape (n, classes, C, H, W) of all, else (n, 1, C, H, W).
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
