"""The metrics of Flax's ImageNet example, as the logging writer of clu prints them.

The speed is of the steps since the line before, whose metrics have all come back by then. Older
versions of the example print the loss alone, once an epoch.

Sources: https://github.com/google/flax/blob/main/examples/imagenet/train.py and
https://github.com/google/CommonLoopUtils/blob/main/clu/metric_writers/logging_writer.py
"""

import re
from collections.abc import Iterable, Iterator

from trainmark.runs.logs.statements import COUNT, NUMBER, Progress, number, stamp

EXPECTED = 'lines like "[100] steps_per_second=7.1, train_accuracy=0.1, train_loss=6.9"'
LEAVES_OUT = "nothing; takes in compilation at first, and evaluation and checkpoint of each epoch"

STEP = re.compile(rf"\[{COUNT}\] (?=\w)")
SPEED = re.compile(rf"\bsteps_per_second={NUMBER}")
LOSS = re.compile(rf"\btrain_loss={NUMBER}")
EPOCH = re.compile(rf"\btrain epoch: {COUNT}, loss: {NUMBER}")


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield speed and loss of each line that has one of them; those of an evaluation have none."""
    for line in lines:
        speed, loss = SPEED.search(line), LOSS.search(line)
        if (speed or loss) and (step := STEP.search(line)):
            yield Progress(
                step=int(step[1]),
                steps_per_second=number(speed[1]) if speed else None,
                loss=number(loss[1]) if loss else None,
                time=stamp(line),
            )
        elif match := EPOCH.search(line):
            yield Progress(epoch=int(match[1]), loss=number(match[2]), time=stamp(line))
