"""CNTK by its training session, with its learners, its metric and the ProgressPrinter."""

from typing import Any, Dict, List

import cntk
import numpy
from cntk import cntk_py
from cntk.io import MinibatchData, StreamInformation, UserMinibatchSource
from cntk.logging import ProgressPrinter
from cntk.train import training_session

from worker.frameworks.cntk import adapter as cntk_adapter
from worker.own_loops.feed import Feed
from worker.own_loops.loop import OwnLoop

TITLE = "CNTK (training session)"
FORMAT = "cntk"
ENVIRONMENT = "cntk"
STAGES = ("train",)
DIALECT = "cntk"
OPTIONS = {"log_every": 10}


class Adapter(OwnLoop, cntk_adapter.Adapter):
    """CNTK's graph and learners in a session."""

    dialect = DIALECT
    loop_options = OPTIONS

    def fit(self, feed: Feed) -> List[float]:
        size = self.job.batch_size
        error = cntk.classification_error(self.logits, self.labels)
        printer = ProgressPrinter(
            freq=self.loop_settings["log_every"], tag="Training", num_epochs=1
        )
        losses = Losses()
        criteria, writers = (self.loss, error), [printer, losses]
        trainer = cntk.Trainer(self.logits, criteria, self.optimiser.learners, writers)
        source = Source(feed, {"images": self.images, "labels": self.labels})
        streams = {self.images: source.streams.images, self.labels: source.streams.labels}
        last = trainer.total_number_of_samples_seen + feed.steps * size
        training_session(trainer, source, size, streams, max_samples=last).train()
        return losses.values


class Source(UserMinibatchSource):
    """A feed in the form of a session's minibatch source."""

    def __init__(self, feed: Feed, inputs: Dict[str, cntk.Variable]) -> None:
        self.feed, self.inputs = feed, inputs
        super().__init__()

    def stream_infos(self) -> List[StreamInformation]:
        """The streams of the source."""
        return [
            StreamInformation(name, number, "dense", numpy.float32, variable.shape)
            for number, (name, variable) in enumerate(self.inputs.items())
        ]

    def next_minibatch(self, count: int, *_: Any) -> Dict[StreamInformation, MinibatchData]:
        """The next batch, whatever the requested number of images."""
        batch = next(self.feed, None)
        if batch is None:
            return {}
        streams = [self.streams[name] for name in self.inputs]
        size = batch[0].shape[0]
        return {
            stream: MinibatchData(value, size, size, False) for stream, value in zip(streams, batch)
        }


class Losses(cntk_py.ProgressWriter):
    """A progress writer that records the loss of each minibatch."""

    def __init__(self) -> None:
        never = 2**31 - 1
        super().__init__(1, 0, never, 0, never, 0)
        self.values: List[float] = []
        self.__disown__()

    def on_write_training_update(
        self, samples: Any, updates: Any, losses: Any, metrics: Any
    ) -> None:
        """Record the mean loss of the images since the last call."""
        self.values.append((losses[1] - losses[0]) / (samples[1] - samples[0]))
