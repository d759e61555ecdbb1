"""What a framework's own loop trains on: some batches, which tell when the loop begins."""

from typing import Callable, Iterable, Iterator, Optional

from worker.arrays import Batch


class Feed:
    """An iterator of the next `steps` batches of `source`.

    `begin` is called once, before the first of them is handed out. A loop that has a reader of the
    framework's own take batches from `source` calls start() itself, before its first step.
    """

    def __init__(
        self, source: Iterable[Batch], steps: int, begin: Optional[Callable[[], None]] = None
    ) -> None:
        self.source: Iterator[Batch] = iter(source)
        self.steps, self.given = steps, 0
        self._begin = begin

    def start(self) -> None:
        """Say that the loop begins; later calls say nothing more."""
        begin, self._begin = self._begin, None
        if begin:
            begin()

    def __iter__(self) -> Iterator[Batch]:
        """Itself."""
        return self

    def __next__(self) -> Batch:
        """The next batch."""
        self.start()
        if self.given == self.steps:
            raise StopIteration
        self.given += 1
        return next(self.source)
