"""MXNet's callback Speedometer, as Module.fit and its examples print it.

A line's speed is of the batches since the line before. Older versions write the batch alone
("[20]", until 0.11 in a line for each metric), newer ones the range that the metrics are of
("[0-20]").
Batches are counted from 0, but from 1 in R, whose lines name no epoch, and by FeedForward, which
Module.fit replaced in 2016 and whose lines look alike.

Source: https://github.com/apache/mxnet/blob/v1.x/python/mxnet/callback.py
"""

import re
from collections.abc import Iterable, Iterator

from trainmark.runs.logs.statements import COUNT, NUMBER, Progress, number, stamp

EXPECTED = 'lines like "Epoch[0] Batch [20]\\tSpeed: 1234.56 samples/sec\\taccuracy=0.123456"'
LEAVES_OUT = "the first batch of each epoch, and what lies between two epochs"

SPEED = re.compile(
    rf"(?:(?:Epoch|Iter)\[{COUNT}\] )?Batch ?\[(?:\d{{1,12}}-)?{COUNT}\]"
    rf"\s{{1,20}}Speed: {NUMBER} samples/sec"
)
LOSS = re.compile(rf"\b(?:cross-entropy|CrossEntropy|loss)={NUMBER}")
EPOCH = re.compile(rf"Epoch\[{COUNT}\] Time cost={NUMBER}")


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield a speed for each line, and the seconds of each epoch, of as many steps as it had."""
    for line in lines:
        if match := SPEED.search(line):
            epoch, batch, speed = match.groups()
            loss = LOSS.search(line, match.end())
            yield Progress(
                step=int(batch) + (1 if epoch else 0),
                epoch=int(epoch) if epoch else None,
                images_per_second=number(speed),
                loss=number(loss[1]) if loss else None,
                time=stamp(line),
            )
        elif match := EPOCH.search(line):
            yield Progress(
                epoch=int(match[1]), seconds=number(match[2]), is_total=True, time=stamp(line)
            )
