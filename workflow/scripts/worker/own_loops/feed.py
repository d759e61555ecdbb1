"""The batches that a framework's own loop trains on; the first request marks the loop's start."""

from typing import Callable, Iterable, Iterator, Optional

from worker.arrays import Batch


class Feed:
    """An iterator of the next `steps` batches of `source`.

    `begin` is called once, before the first batch is returned. A loop that reads batches from
    `source` by the framework's own reader calls start() itself, before its first step.
    """

    def __init__(
        self, source: Iterable[Batch], steps: int, begin: Optional[Callable[[], None]] = None
    ) -> None:
        self.source: Iterator[Batch] = iter(source)
        self.steps, self.count = steps, 0
        self._begin = begin

    def start(self) -> None:
        """Call `begin`, unless it was called before."""
        begin, self._begin = self._begin, None
        if begin:
            begin()

    def __iter__(self) -> Iterator[Batch]:
        """The feed itself."""
        return self

    def __next__(self) -> Batch:
        """The next batch."""
        self.start()
        if self.count == self.steps:
            raise StopIteration
        self.count += 1
        return next(self.source)
