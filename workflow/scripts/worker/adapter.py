"""The contract of an adapter: all methods by which the runner calls a framework.

The update: see worker.networks.neutral.update_rule. Batch norm: epsilon 1e-5, running = 0.9 *
running + 0.1 * batch, the running variance from the unbiased batch variance n / (n - 1).
"""

from abc import ABC, abstractmethod
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, SupportsFloat, Tuple

import numpy

from worker.arrays import Batch, LabelledImages, Predictions, Weights
from worker.events import Unsupported
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import UpdateRule


class Adapter(ABC):
    """One framework, set up for one job; an adapter never reads a clock.

    Where a job has several devices, each trains on its own part of a batch: the part of
    devices.rows(), or of the framework's reader. Batch norm uses the statistics of that part.
    """

    job: Job
    sums_are_narrow = False
    """Whether products are summed in the narrow type, too, so that errors grow with their terms."""

    @abstractmethod
    def __init__(self, job: Job) -> None:
        """Set threads, device and the seed of dropout.

        Raises events.Unsupported with the reason for a device, precision or option that the
        framework doesn't support.
        """

    @abstractmethod
    def build(self, network: Network, update_rule: UpdateRule) -> None:
        """Build a network and its update in the framework; an earlier network is replaced."""

    @abstractmethod
    def load(self, weights: Weights) -> None:
        """Set the weights of the built network, and begin training anew.

        Momenta become 0. The learning rate becomes the first one of build()'s update rule.
        """

    @abstractmethod
    def set_rate(self, rate: float) -> None:
        """Set the learning rate from the next step on, without compiling anything anew.

        Where a framework's velocity is without the rate, that step also scales it, and each later
        one until the rate is set again: call it before each step, or twice for a constant rate.
        """

    @abstractmethod
    def weights(self) -> Weights:
        """Return the current weights, with the names and layouts of load().

        On several devices the running statistics are those of one device, or their mean.
        """

    def averaged_weights(self) -> Optional[Weights]:
        """Return weights() with the moving average of the trained ones; None without the option.

        The option `weight_average` is the average's decay. It begins with the weights of load(),
        and after n steps its decay is (1 + n) / (10 + n), as long as that is smaller.
        """
        return None

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        """Count the bytes of all weights on one device, by type (numpy's names of types).

        weights: the result of weights(). This default counts its bytes, for frameworks that store
        weights in the types in which weights() returns them.
        """
        return bytes_by_type((str(array.dtype), array.nbytes) for array in weights.values())

    @abstractmethod
    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> Batch:
        """Make a native batch on the device.

        images: normalised, float32 (n, C, H, W); labels: int64 (n,). Labels of a language model are
        (n, tokens), its logits (n, tokens, vocabulary); its loss is the mean over all tokens.
        """

    @abstractmethod
    def batches(self, split: str) -> Iterator[Batch]:
        """Read native batches of the job's data set in FORMAT, by the framework's best practice.

        Batches are decoded ahead. Split "train" gives full batches, epoch after epoch without end;
        split "test" gives every image once.
        """

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        """Read batches of stored pixels, with values from 0 to 255, in the host's memory.

        worker.input.pixels prepares them.
        """
        raise Unsupported(
            f"{self.job.adapter} reads no stored pixels on {self.job.device}, which pixels, "
            "augment and shuffle need"
        )

    @abstractmethod
    def train_step(self, batch: Batch) -> SupportsFloat:
        """Do one step on a batch of exactly the batch size; return the loss.

        The loss is the mean cross entropy of the whole batch before the update. The method may
        return before the loss is computed: float() waits for it. Raises AssertionError for a batch
        of another size; the numpy reference doesn't, as it trains on a batch's distinct images.
        """

    @abstractmethod
    def predict(self, batch: Batch) -> Predictions:
        """Return the logits of all images of a batch, in evaluation mode, and their labels."""

    def predictions(self, batches: Iterable[Batch]) -> Iterator[Predictions]:
        """Predict batch after batch by predict(); these calls aren't timed."""
        return map(self.predict, batches)

    def infer(self, batch: Batch) -> Any:
        """Predict a whole batch by the framework's best practice; return its native logits.

        The method may return before the logits are computed; they may be on the device. fetch()
        waits for them and copies them to the host.
        """
        raise Unsupported(f"{self.job.adapter} has no stage infer")

    def fetch(self, logits: Any) -> numpy.ndarray:
        """Wait for the result of infer() and return it as float32 (n, classes) on the host."""
        raise Unsupported(f"{self.job.adapter} has no stage infer")

    def prefill(self, batch: Batch) -> Any:
        """Read the prompts of a language model's batch, and begin their generation anew.

        A prompt is a text without the job's `steps` last tokens. Returns the tokens (n,) that
        follow, native and those of the largest logits; fetch() copies them to the host. The method
        may return before they are computed.
        """
        raise Unsupported(f"{self.job.adapter} has no stage generate")

    def decode(self, tokens: Any) -> Any:
        """Read the next token of each text, by what was kept of earlier ones; return as prefill().

        tokens: the result of prefill() or decode(), or int64 (n,) on the host.
        """
        raise Unsupported(f"{self.job.adapter} has no stage generate")

    def token_logits(self) -> numpy.ndarray:
        """The logits (n, vocabulary) float32 by which the last tokens were chosen."""
        raise Unsupported(f"{self.job.adapter} has no stage generate")

    def stepwise_logits(
        self, batch: Batch, predictions: Predictions, first: Callable[[Callable[[], Any]], Any]
    ) -> numpy.ndarray:
        """The logits of a batch, float32 (n, tokens, vocabulary), as a generation computes them.

        It reads the batch's own tokens. The logits by which no token of a generation is chosen are
        those of `predictions`, the result of predict(). The prefill is called by `first`, which may
        time it.
        """
        whole, labels = predictions
        logits = numpy.array(whole)  # what a framework returns may be read-only
        prompt, tokens = labels.shape[1] - self.job.steps, labels.shape[1]
        first(lambda: self.prefill(batch))
        logits[:, prompt - 1] = self.token_logits()
        for position in range(prompt, tokens - 1):
            self.decode(labels[:, position - 1])
            logits[:, position] = self.token_logits()
        return logits

    def compute_types(self, batch: Batch) -> List[str]:
        """The output types of convolutions and products, by numpy's names, sorted.

        They are read back from the tensors or the graph of the job's stage, not from the job. This
        default returns the type of the logits, for frameworks that compute all in one type.
        """
        return [str(self.predict(batch)[0].dtype)]

    def gradients(self, batch: Batch) -> SupportsFloat:
        """Do the forward and backward pass of train_step(), without an update; return the loss.

        The gradients stay on the device for gradient_arrays(); running statistics may move.
        """
        raise Unsupported(f"{self.job.adapter} has no stage gradients")

    def gradient_arrays(self) -> Weights:
        """Return the gradients of the last gradients(), by the names of the trainable weights.

        Gradients don't include weight decay; they are in neutral layout.
        """
        raise Unsupported(f"{self.job.adapter} has no stage gradients")

    def input_gradient(self, batch: Batch, cotangents: numpy.ndarray) -> numpy.ndarray:
        """Return the vector-Jacobian product of the logits by a batch's normalised images.

        cotangents: float32 (n, classes). The result, float32 (n, C, H, W), is the gradient of
        sum(logits * cotangents) by the images. Only stage attack calls this method; no layer of
        that stage's network differs between training and evaluation: see proof.start.
        """
        raise Unsupported(f"{self.job.adapter} has no gradient by its images, as attacks need it")

    @abstractmethod
    def synchronise(self) -> None:
        """Wait until the devices have finished all work."""

    @abstractmethod
    def describe(self) -> Dict[str, Any]:
        """Return the fields of the `environment` event.

        These are framework, version, threads, libraries, flags, devices (a text for each) and
        device_batch_size (the images of a batch on each device).
        """


def bytes_by_type(tensors: Iterable[Tuple[str, int]]) -> Dict[str, int]:
    """Sum the bytes of tensors, pairs of type and bytes, by type."""
    sums: Dict[str, int] = {}
    for name, count in tensors:
        sums[name] = sums.get(name, 0) + count
    return sums


class OwnClock(Adapter):
    """An adapter that predicts in another process; that process times its calls itself."""

    @abstractmethod
    def call_seconds(self, count: int, max_seconds: Optional[float]) -> List[float]:
        """Repeat the last infer() in the other process; return the seconds of each call.

        The other process's clock measures them. Each call is waited for, and none begins after
        `max_seconds`.
        """

    @abstractmethod
    def memory(self) -> Dict[str, int]:
        """Return the other process's highest resident memory in bytes.

        Keys: empty_bytes, before the process loaded a model; peak_bytes, until now.
        """
