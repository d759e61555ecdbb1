"""The log of `caffe train`: glog lines, in which each displayed iteration has its loss.

An iteration is logged between its backward pass and its update. Its speed is that of the iterations
since the one displayed before; versions before 1.0 state none, so that only stamps show it.

Sources: https://github.com/BVLC/caffe/blob/master/src/caffe/solver.cpp (Solver::Step) and
https://github.com/google/glog/blob/master/src/logging.cc (newer versions write the year).
"""

import re
from collections.abc import Iterable, Iterator

from trainmark.runs.logs.statements import COUNT, NUMBER, Progress, number, stamp

EXPECTED = (
    'lines like "I0829 12:00:00.123456  42 solver.cpp:239] Iteration 100 '
    '(9.9 iter/s, 10.1s/100 iters), loss = 0.5"'
)
LEAVES_OUT = "nothing but its start; cuts each time to whole ms, and so is reported too fast"

LINE = re.compile(r"I(?:\d{4}){1,2} [\d:.]{15} {1,9}\d{1,12} solver\.cpp:\d{1,9}\] (.*)")
SOLVING = re.compile(r"Solving\b")
ITERATION = re.compile(rf"Iteration {COUNT}(?: \((?:{NUMBER} iter/s)?.*\))?, loss = {NUMBER}$")


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield where training starts, as step 0, and each displayed iteration.

    Iterations count from 0; a step is done, but for its update, where its iteration is displayed.
    The speed of the first one is of no iterations: Caffe divides what its memory held before.
    """
    is_first = False
    for line in lines:
        match = LINE.search(line)
        time = stamp(match[0]) if match else None
        if match is None or time is None:
            continue
        message = match[1].strip()
        iteration = ITERATION.match(message)
        if SOLVING.match(message):
            is_first = True
            yield Progress(step=0, time=time)
        elif iteration:
            done, rate, loss = iteration.groups()
            speed = number(rate) if rate and not is_first else None
            is_first = False
            yield Progress(int(done) + 1, steps_per_second=speed, loss=number(loss), time=time)
