"""The one speed that a log states, as a reader takes it who knows nothing but the log.

- Totals, where it has any: of each epoch the last sum or running mean, and the mean of these.
- Else the mean of the speeds that its lines state.
- Else the time that it states of all steps, if whoever asks knows how many these are.
- Else, of a log whose lines have stamps alone, the steps between the first and the last of them.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from trainmark.runs.logs.statements import Progress, speed


class Stated(NamedTuple):
    """A log's speed in images per second.

    Attributes:
        images_per_second: the speed.
        basis: what it is taken from: "totals", "lines", "time" or "stamps".
        statements: of how many it is taken.
        lowest: the lowest of the speeds that it is the mean of; its own, where there is one.
        highest: likewise.

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
        """Take one more."""
        self.count += 1
        self.total += number
        self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)

    def stated(self, basis: str) -> Stated | None:
        """The mean of all; None where there are none."""
        if not self.count:
            return None
        return Stated(self.total / self.count, basis, self.count, self.lowest, self.highest)


class Stamps:
    """How far a log without epochs came between its first and its last stamp."""

    def __init__(self) -> None:
        self.first: tuple[int, datetime] | None = None
        self.last: tuple[int, datetime] | None = None
        self.count = 0

    def add(self, statement: Progress) -> None:
        """Take one more statement, if it has stamp and step."""
        if statement.time is None or statement.step is None or statement.epoch is not None:
            return
        self.last = (statement.step, statement.time)
        self.first = self.first or self.last
        self.count += 1

    def stated(self, batch_size: int) -> Stated | None:
        """The speed; None where they say none."""
        if self.first is None or self.last is None:
            return None
        steps = self.last[0] - self.first[0]
        seconds = (self.last[1] - self.first[1]).total_seconds()
        if steps <= 0 or seconds <= 0:
            return None
        found = steps * batch_size / seconds
        return Stated(found, "stamps", self.count, found, found)


class Totals:
    """The last total of each epoch, and their mean."""

    def __init__(self) -> None:
        self.ended = Spread()
        self.latest: tuple[int | None, float] | None = None

    def add(self, epoch: int | None, found: float) -> None:
        """Take one more, which takes the place of an earlier one of its epoch."""
        if self.latest and self.latest[0] != epoch:
            self.ended.add(self.latest[1])
        self.latest = epoch, found

    def stated(self, basis: str) -> Stated | None:
        """The mean of all; None where there are none."""
        if self.latest:
            self.ended.add(self.latest[1])
            self.latest = None
        return self.ended.stated(basis)


def stated(
    statements: Iterable[Progress], batch_size: int, after: int = 0, steps: int | None = None
) -> Stated | None:
    """The speed by the statements behind step `after`; None where they state none.

    `after` needs a log of one epoch, as steps may be counted anew in each. `steps` is of how many
    steps a time is that the log states of an epoch, or of all, without saying so. Takes statements
    one by one, and keeps none of them.
    """
    totals, lines, times, stamps = Totals(), Spread(), Totals(), Stamps()
    for statement in statements:
        if statement.step is not None and statement.step < after:
            continue
        stamps.add(statement)
        found = speed(statement, batch_size)
        if statement.step == after:  # where stamps begin; its speed is of what came before
            continue
        if found is not None and statement.is_total:
            totals.add(statement.epoch, found)
        elif found is not None:
            lines.add(found)
        elif statement.is_total and steps and statement.seconds:
            times.add(statement.epoch, steps * batch_size / statement.seconds)
    return (
        totals.stated("totals")
        or lines.stated("lines")
        or times.stated("time")
        or stamps.stated(batch_size)
    )
