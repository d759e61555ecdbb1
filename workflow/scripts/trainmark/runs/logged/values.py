"""Values as logs write them: counts, numbers, and the stamps that lines begin with.

The patterns are bounded or unambiguous, so that no text makes a search slow. Each has one group.
"""

import math
import re
from datetime import datetime

from trainmark.runs.logged.progress import NO_YEAR

COUNT = r"(\d{1,12})"
# Microsoft's C library writes 1.#QNAN000, -1.#IND or 1.#INF for what is no finite number.
NUMBER = r"([-+]?(?:1\.#\w{1,8}|\d+(?:\.\d*)?(?:e[-+]?\d+)?|nan|inf))"
# Python's logging writes a comma; glog, and absl after it, no year until 2020.
STAMP = re.compile(
    r"\s{0,8}(?:(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)[,.](\d{3,6})\b"
    r"|[IWEF](\d{4})?(\d{4} \d\d:\d\d:\d\d\.\d{6}) )"
)


def number(text: str) -> float:
    """Return the number that NUMBER found; NaN and infinities as such."""
    if "#" in text:
        infinite = math.copysign(math.inf, float(text[: text.index("#")]))
        return infinite if "INF" in text else math.nan
    return float(text)


def stamp(line: str) -> datetime | None:
    """Return the time that a line begins with, without a zone; NO_YEAR where it writes no year."""
    found = STAMP.match(line)
    if found is None:
        return None
    date, time, fraction, year, glog = found.groups()
    written = f"{date} {time}.{fraction}" if date else f"{year or NO_YEAR}{glog}"
    form = "%Y-%m-%d %H:%M:%S.%f" if date else "%Y%m%d %H:%M:%S.%f"
    try:
        return datetime.strptime(written, form)
    except ValueError:  # digits that are no date
        return None
