"""Adapters by which a framework trains in its own way, in place of the runner's loop."""

from abc import abstractmethod
from typing import Any, ClassVar, Dict, Sequence, SupportsFloat

from worker import networks, support
from worker.adapter import Adapter
from worker.arrays import Batch
from worker.events import Unsupported
from worker.input import dataset, pixels
from worker.job import Job
from worker.own_loops.feed import Feed

EVERY = "log_every"
"""The option that sets how many steps a loop's log line covers."""


class OwnTraining(Adapter):
    """An adapter by which the framework trains in its own way and prints its own log."""

    dialect: str
    """The dialect of the framework's log: a file of trainmark/runs/dialects."""


def check(job: Job) -> None:
    """Raise events.Unsupported if the job's stage or limits in seconds need the runner's loop."""
    if job.stage != "train":
        raise Unsupported(f"{job.adapter} has no stage {job.stage}")
    if networks.is_language_model(job.network):
        raise Unsupported(f"{job.adapter} trains no language model")
    if job.max_seconds or job.window_seconds:
        raise Unsupported(f"{job.adapter} counts steps alone, and ends after no seconds")


def check_reads_itself(job: Job) -> None:
    """Raise events.Unsupported if the job's batches aren't those of the framework's own reader."""
    if job.input_mode == "cached":
        raise Unsupported(f"{job.adapter} reads its data set itself: it keeps no decoded images")
    if job.data is not None and pixels.are_prepared(job, dataset.load(job.data)):
        raise Unsupported(
            f"{job.adapter} reads its data set itself: shuffle, augment, a mean image, standardise "
            "and crops of stored pixels need trainmark's loop"
        )


class OwnProgram(OwnTraining):
    """An adapter whose framework's own program trains."""

    @abstractmethod
    def train(self, warmup_steps: int, steps: int) -> None:
        """Train for warmup_steps + steps, in place of the runner's warm-up and window.

        Call dialect.announce(), let the program train from the current weights, leave its log
        unchanged, and load the weights at the program's end. If the program fails, exit with its
        status.
        """


class OwnLoop(OwnTraining):
    """An adapter that trains by a call of the framework's API or by a published example's loop.

    A subclass names it as a base before the adapter that it extends.
    """

    loop_options: ClassVar[Dict[str, Any]] = {}
    """The loop's options and their defaults; the extended adapter's own options remain."""

    def __init__(self, job: Job) -> None:
        """Set the loop's options; raises events.Unsupported for a job that loops can't do."""
        check(job)
        if job.schedule:
            raise Unsupported(f"{job.adapter} keeps its rate: it has no schedule here")
        options = job.options
        if options.get(support.AVERAGE):
            raise Unsupported(f"option {support.AVERAGE} needs trainmark's loop")
        of_loop = {name: options[name] for name in self.loop_options if name in options}
        others = {name: value for name, value in options.items() if name not in of_loop}
        precisions = {job.device_kind: ("float32",)}
        loop_job = job._replace(options=of_loop)
        self.loop_settings = support.check(loop_job, precisions, self.loop_options)
        every = self.loop_settings.get(EVERY, 1)
        if every < 1:
            raise Unsupported(f"option {EVERY} is {every}; it must be at least 1")
        # the constructor of the extended adapter, the next base class
        super().__init__(job._replace(options=others))  # type: ignore[safe-super]

    @abstractmethod
    def fit(self, feed: Feed) -> Sequence[SupportsFloat]:
        """Train on a feed by the loop, which prints its log; return the loss of each step.

        Weights and momenta continue from their current values. The method may return before all
        losses are computed.
        """

    def train_step(self, batch: Batch) -> Any:
        """Do one step by the loop itself, so that the parity check covers the timed code."""
        (loss,) = self.fit(Feed([batch], 1))
        return loss

    def describe(self) -> Dict[str, Any]:
        """The environment of the extended adapter, under this adapter's name."""
        described = super().describe()  # type: ignore[safe-super]
        flags = dict(described["flags"], **self.loop_settings)
        return dict(described, framework=self.job.adapter, flags=flags)
