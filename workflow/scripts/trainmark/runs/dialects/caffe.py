"""The log of `caffe train`: glog lines, in which each displayed iteration stands with its loss.

An iteration is logged between its backward pass and its update. Its speed is that of the iterations
since the one displayed before; versions before 1.0 state none, so that stamps alone tell it.

Sources: https://github.com/BVLC/caffe/blob/master/src/caffe/solver.cpp (Solver::Step) and
https://github.com/google/glog/blob/master/src/logging.cc (newer versions write the year).
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from trainmark.runs.logged.progress import NO_YEAR, Progress

EXPECTED = (
    'lines like "I0829 12:00:00.123456  42 solver.cpp:239] Iteration 100 '
    '(9.9 iter/s, 10.1s/100 iters), loss = 0.5"'
)
LEAVES_OUT = "nothing but its start; a mean of its lines favours the fast ones"

LINE = re.compile(r"I(\d{4})?(\d{4} \d\d:\d\d:\d\d\.\d{6}) +\d+ solver\.cpp:\d+\] (.*)")
STAMP = "%Y%m%d %H:%M:%S.%f"
SOLVING = re.compile(r"Solving\b")
NUMBER = r"\d+(?:\.\d*)?(?:e[-+]?\d+)?"
ITERATION = re.compile(
    rf"Iteration (\d+)(?: \((?:({NUMBER}) iter/s)?.*\))?, loss = ([-+]?(?:{NUMBER}|nan|inf))$"
)


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield where training starts, as step 0, and each displayed iteration.

    Iterations count from 0; a step is done, but for its update, where its iteration is displayed.
    """
    for line in lines:
        found = LINE.search(line)
        time = _time(found) if found else None
        if found is None or time is None:
            continue
        message = found[3].strip()
        iteration = ITERATION.match(message)
        if SOLVING.match(message):
            yield Progress(step=0, time=time)
        elif iteration:
            number, rate, loss = iteration.groups()
            speed = float(rate) if rate else None
            yield Progress(int(number) + 1, steps_per_second=speed, loss=float(loss), time=time)


def _time(line: re.Match[str]) -> datetime | None:
    try:
        return datetime.strptime(f"{line[1] or NO_YEAR}{line[2]}", STAMP)
    except ValueError:  # digits that are no date
        return None
