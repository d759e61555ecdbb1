"""MXNet by the Estimator of Gluon, with its own handlers of metrics, updates and its log."""

from typing import Any, Iterator, List, Tuple

from mxnet import gluon, nd
from mxnet.gluon.contrib.estimator import BatchEnd, Estimator, LoggingHandler

from worker.arrays import Weights
from worker.frameworks.mxnet import adapter as mxnet
from worker.own_loops.feed import Feed
from worker.own_loops.loop import OwnLoop

TITLE = "MXNet (Gluon Estimator)"
FORMAT = "recordio"
ENVIRONMENT = "mxnet"
STAGES = ("train",)
DIALECT = "mxnet_estimator"
OPTIONS = {"log_every": 10}


class Adapter(OwnLoop, mxnet.Adapter):
    """MXNet's block and trainer in an estimator."""

    dialect = DIALECT
    loop_options = OPTIONS

    def load(self, weights: Weights) -> None:
        super().load(weights)
        self.estimator = Estimator(
            self.logits,
            gluon.loss.SoftmaxCrossEntropyLoss(),
            trainer=self.trainer,
            context=self.contexts,
        )

    def fit(self, feed: Feed) -> List[Any]:
        self.statistics.set_unbiased(False)
        every, metrics = self.loop_settings["log_every"], self.estimator.train_metrics
        recorder = Losses()
        handlers = [LoggingHandler(every, metrics), recorder]
        self.estimator.fit(Loader(feed), epochs=1, event_handlers=handlers)
        return [losses.mean().as_np_ndarray() for losses in recorder.values]


class Loader(gluon.data.DataLoader):
    """A feed in the form of an estimator's data loader; its batches are on the one device."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self._worker_pool = None  # DataLoader ends it when it is deleted

    def __iter__(self) -> Iterator[Tuple[nd.NDArray, nd.NDArray]]:
        """Images and labels, batch by batch."""
        for (images,), (labels,), _ in self.feed:
            yield images, labels


class Losses(BatchEnd):
    """A handler that records the losses of each step's images."""

    def __init__(self) -> None:
        self.values: List[nd.NDArray] = []

    def batch_end(self, estimator: Estimator, *_: Any, **fields: Any) -> None:
        """Record the losses, which stay on the device."""
        self.values += fields["loss"]
