"""Statements of logs: what one says of a training, and how logs write its values.

The patterns of values are bounded or unambiguous, so that no text makes a search slow. Each has one
group.
"""

import math
import re
from datetime import datetime
from typing import NamedTuple

NO_YEAR = 1904
"""The year of a stamp that has none: a leap year, so that it has every day."""

COUNT = r"(\d{1,12})"
# Microsoft's C library writes 1.#QNAN000, -1.#IND or 1.#INF for what is no finite number.
NUMBER = r"([-+]?(?:1\.#\w{1,8}|\d+(?:\.\d*)?(?:e[-+]?\d+)?|nan|inf))"
# Python's logging writes a comma; glog, and absl after it, no year until 2020.
STAMP = re.compile(
    r"\s{0,8}(?:(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)[,.](\d{3,6})\b"
    r"|[IWEF](\d{4})?(\d{4} \d\d:\d\d:\d\d\.\d{6}) )"
)


class Progress(NamedTuple):
    """One statement of a log: how far the training is and how fast; None where it isn't stated.

    Attributes:
        step: training steps done, as the log counts them: of its epoch where it has epochs, else
            since the training's start.
        epoch: the epoch, by the log's own number.
        images_per_second: a speed that it states.
        steps_per_second: a speed that it states, in steps.
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
    images_per_second = _speed(statement, batch_size)
    if images_per_second is None or not math.isfinite(images_per_second):
        return None
    return images_per_second if images_per_second > 0 else None


def _speed(statement: Progress, batch_size: int) -> float | None:
    if statement.images_per_second is not None:
        return statement.images_per_second
    if statement.steps_per_second is not None:
        return statement.steps_per_second * batch_size
    images = statement.images or (statement.steps or 0) * batch_size
    return images / statement.seconds if images and statement.seconds else None


def number(text: str) -> float:
    """The number that NUMBER matches; NaN and infinities as such."""
    if "#" in text:
        infinite = math.copysign(math.inf, float(text[: text.index("#")]))
        return infinite if "INF" in text else math.nan
    return float(text)


def stamp(line: str) -> datetime | None:
    """The time that a line begins with, without a zone; NO_YEAR where it writes no year."""
    match = STAMP.match(line)
    if match is None:
        return None
    date, time, fraction, year, glog = match.groups()
    written = f"{date} {time}.{fraction}" if date else f"{year or NO_YEAR}{glog}"
    form = "%Y-%m-%d %H:%M:%S.%f" if date else "%Y%m%d %H:%M:%S.%f"
    try:
        return datetime.strptime(written, form)
    except ValueError:  # digits that are no date
        return None
