"""Adapters by which a framework trains in its own way, in place of the runner's loop."""

from abc import abstractmethod
from typing import Any, ClassVar, Dict, Sequence, SupportsFloat

from worker import support
from worker.adapter import Adapter
from worker.arrays import Batch
from worker.events import Unsupported
from worker.feed import Feed
from worker.job import Job

EVERY = "log_every"
"""The option by which loops print a line each so many steps."""


class OwnTraining(Adapter):
    """An adapter by which the framework trains in its own way and prints its own log."""

    dialect: str
    """The dialect of that log: a file of trainmark/runs/dialects."""


def check(job: Job) -> None:
    """Raise events.Unsupported for what the runner's loop alone can do."""
    if job.stage != "train":
        raise Unsupported(f"{job.adapter} has no stage {job.stage}")
    if job.max_seconds or job.window_seconds:
        raise Unsupported(f"{job.adapter} counts steps alone, and ends after no seconds")


class OwnProgram(OwnTraining):
    """An adapter whose framework's own program trains."""

    @abstractmethod
    def train(self, warmup_steps: int, steps: int) -> None:
        """Train for these numbers of steps, in place of the runner's loop over warm-up and window.

        Call dialect.announce(), let the program train from the weights as they are, print its log
        as it is, and take over the weights that it ends with. Where it fails, end as it did.
        """


class OwnLoop(OwnTraining):
    """An adapter whose framework's own loop, a call of its API or a published example's, trains.

    It comes before the adapter that it extends among the bases of a class.
    """

    loop_options: ClassVar[Dict[str, Any]] = {}
    """The options that it has beside that adapter's, and their defaults."""

    def __init__(self, job: Job) -> None:
        """Take the loop's own options; raises events.Unsupported for what loops can't do."""
        check(job)
        if job.schedule:
            raise Unsupported(f"{job.adapter} keeps its rate: it has no schedule here")
        own = {name: job.options[name] for name in self.loop_options if name in job.options}
        rest = {name: value for name, value in job.options.items() if name not in own}
        precisions = {job.device_kind: ("float32",)}
        self.loop = support.check(job._replace(options=own), precisions, self.loop_options)
        if self.loop.get(EVERY, 1) < 1:
            raise Unsupported(f"{EVERY} is {self.loop[EVERY]}; a line tells of 1 step at least")
        # that of the adapter that it extends, which comes next among the bases
        super().__init__(job._replace(options=rest))  # type: ignore[safe-super]

    @abstractmethod
    def fit(self, feed: Feed) -> Sequence[SupportsFloat]:
        """Let the loop train on the batches of a feed and print its log; return each step's loss.

        Weights and momenta go on from where they are. May return before all is computed.
        """

    def train_step(self, batch: Batch) -> Any:
        """One step of the loop itself, so that what is proven is what is timed."""
        (loss,) = self.fit(Feed([batch], 1))
        return loss

    def describe(self) -> Dict[str, Any]:
        """The environment of the adapter that it extends, under its own name."""
        described = super().describe()  # type: ignore[safe-super]
        flags = dict(described["flags"], **self.loop)
        return dict(described, framework=self.job.adapter, flags=flags)
