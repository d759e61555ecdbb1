"""The speed that a log states, computed from the log alone.

It is the first of these that exists:

- from totals: the mean, over epochs, of each epoch's last sum or running mean;
- the mean of the speeds that single lines state;
- from the stated time of all steps, if the caller gives the number of steps;
- from the steps between the first and the last time stamp.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from trainmark.runs.logs.statements import Progress, speed


class Stated(NamedTuple):
    """A log's speed in images per second.

    Attributes:
        images_per_second: the speed.
        basis: the source of the speed: "totals", "lines", "time" or "stamps".
        statements: the number of statements that it is computed from.
        lowest: the lowest of the averaged speeds; the speed itself if it is only one.
        highest: the highest of the averaged speeds.

    """

    images_per_second: float
    basis: str
    statements: int
    lowest: float
    highest: float


class Spread:
    """Mean and range of numbers that come one by one."""

    def __init__(self) -> None:
        self.count, self.total = 0, 0.0
        self.lowest, self.highest = float("inf"), float("-inf")

    def add(self, number: float) -> None:
        """Add a number."""
        self.count += 1
        self.total += number
        self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)

    def stated(self, basis: str) -> Stated | None:
        """The mean of all; None where there are none."""
        if not self.count:
            return None
        return Stated(self.total / self.count, basis, self.count, self.lowest, self.highest)


class Stamps:
    """The steps and the time between the first and the last time stamp of a log without epochs."""

    def __init__(self) -> None:
        self.first: tuple[int, datetime] | None = None
        self.last: tuple[int, datetime] | None = None
        self.count = 0

    def add(self, statement: Progress) -> None:
        """Add a statement if it has a time stamp and a step."""
        if statement.time is None or statement.step is None or statement.epoch is not None:
            return
        self.last = (statement.step, statement.time)
        self.first = self.first or self.last
        self.count += 1

    def stated(self, batch_size: int) -> Stated | None:
        """The speed; None if no step or no time has passed between the stamps."""
        if self.first is None or self.last is None:
            return None
        steps = self.last[0] - self.first[0]
        seconds = (self.last[1] - self.first[1]).total_seconds()
        if steps <= 0 or seconds <= 0:
            return None
        mean = steps * batch_size / seconds
        return Stated(mean, "stamps", self.count, mean, mean)


class Totals:
    """The last total of each epoch, and their mean."""

    def __init__(self) -> None:
        self.ended = Spread()
        self.latest: tuple[int | None, float] | None = None

    def add(self, epoch: int | None, total: float) -> None:
        """Add a total, which replaces an earlier one of its epoch."""
        if self.latest and self.latest[0] != epoch:
            self.ended.add(self.latest[1])
        self.latest = epoch, total

    def stated(self, basis: str) -> Stated | None:
        """The mean of all; None where there are none."""
        if self.latest:
            self.ended.add(self.latest[1])
            self.latest = None
        return self.ended.stated(basis)


def stated(
    statements: Iterable[Progress], batch_size: int, after: int = 0, steps: int | None = None
) -> Stated | None:
    """The speed by the statements after step `after`; None if they state no speed.

    `after` above 0 needs a log of one epoch, as each epoch may count its steps from the start.
    `steps` is the number of steps of a stated time, for logs that don't state this number. Reads
    statements one by one, and keeps none of them.
    """
    totals, lines, times, stamps = Totals(), Spread(), Totals(), Stamps()
    for statement in statements:
        if statement.step is not None and statement.step < after:
            continue
        stamps.add(statement)
        stated_speed = speed(statement, batch_size)
        if statement.step == after:  # only its stamp counts: its speed is that of earlier steps
            continue
        if stated_speed is not None and statement.is_total:
            totals.add(statement.epoch, stated_speed)
        elif stated_speed is not None:
            lines.add(stated_speed)
        elif statement.is_total and steps and statement.seconds:
            times.add(statement.epoch, steps * batch_size / statement.seconds)
    return (
        totals.stated("totals")
        or lines.stated("lines")
        or times.stated("time")
        or stamps.stated(batch_size)
    )
