"""What one statement of a log says of a training, whichever the dialect."""

import math
from datetime import datetime
from typing import NamedTuple

NO_YEAR = 1904
"""The year of a stamp that has none: a leap year, so that it has every day."""


class Progress(NamedTuple):
    """One statement of a log: how far the training is, how fast it goes; None where it doesn't say.

    Attributes:
        step: training steps done, as the log counts them: of its epoch where it has epochs, else
            since the training's start.
        epoch: the epoch, by the log's own number.
        images_per_second: a speed that it states.
        steps_per_second: likewise, in steps.
        seconds: a time that it states for so many `steps`, or for so many `images`.
        steps: of how many steps that time is.
        images: of how many images that time is.
        is_total: whether speed or time is of all steps since the epoch's or the training's start, a
            sum or a running mean; else it is of those since the statement before.
        loss: NaN or infinite where the log says so.
        time: the line's own stamp, without a zone; its year is NO_YEAR where it has none.

    """

    step: int | None = None
    epoch: int | None = None
    images_per_second: float | None = None
    steps_per_second: float | None = None
    seconds: float | None = None
    steps: int | None = None
    images: int | None = None
    is_total: bool = False
    loss: float | None = None
    time: datetime | None = None


def speed(statement: Progress, batch_size: int) -> float | None:
    """Images per second by a statement, finite and above 0; None where it states none such."""
    found = _speed(statement, batch_size)
    return found if found is not None and math.isfinite(found) and found > 0 else None


def _speed(statement: Progress, batch_size: int) -> float | None:
    if statement.images_per_second is not None:
        return statement.images_per_second
    if statement.steps_per_second is not None:
        return statement.steps_per_second * batch_size
    images = statement.images or (statement.steps or 0) * batch_size
    return images / statement.seconds if images and statement.seconds else None
