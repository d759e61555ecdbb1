"""The LoggingHandler of MXNet's Gluon Estimator.

A line's time is the sum of the batches since the line before, without what lies between two
batches; the first line of an epoch counts the last batches of the epoch before. Of how many images
it is, the samples seen so far show. Versions before 1.6 print each batch with a time of its own.

Source: https://github.com/apache/mxnet/blob/v1.x/python/mxnet/gluon/contrib/estimator/event_handler.py
"""

import re
from collections.abc import Iterable, Iterator

from trainmark.runs.logs.statements import COUNT, NUMBER, Progress, number, stamp

EXPECTED = 'lines like "[Epoch 0][Batch 20][Samples 1344] time/interval: 0.123s training …"'
LEAVES_OUT = "the wait for data between two batches, and what of a step still runs meanwhile"

BEGIN = "Training begin: "
BATCH = re.compile(
    rf"\[Epoch {COUNT}\]\[Batch {COUNT}\]\[Samples {COUNT}\] time/(interval|batch): {NUMBER}s"
)
# As announced in 2019: what it calls a step is a sample, the time is of a batch.
STEP = re.compile(rf"\[Epoch {COUNT}\] \[Step \d{{1,12}}/\d{{1,12}}\] time/step: {NUMBER}s")
EPOCH = re.compile(rf"\[Epoch {COUNT}\] [Ff]inished in {NUMBER}s")
LOSS = re.compile(rf"loss\d{{0,2}} ?: {NUMBER}")


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield a time for each line, and the seconds of each epoch, of as many steps as it had."""
    samples = None  # seen so far; unknown in a log without its begin
    for line in lines:
        if BEGIN in line:
            samples = 0
        elif match := BATCH.search(line):
            yield _batch(match, samples)
            samples = int(match[3])
        elif match := STEP.search(line):
            yield _common(match)._replace(seconds=number(match[2]), steps=1)
        elif (match := EPOCH.search(line)) and "validation" not in line:
            yield _common(match)._replace(seconds=number(match[2]), is_total=True)


def _common(match: re.Match[str]) -> Progress:
    """Fields of all lines: an epoch, a stamp if the logger writes one, a loss if it is a metric."""
    loss = LOSS.search(match.string, match.end())
    return Progress(
        epoch=int(match[1]), loss=number(loss[1]) if loss else None, time=stamp(match.string)
    )


def _batch(match: re.Match[str], seen: int | None) -> Progress:
    statement = _common(match)._replace(step=int(match[2]) + 1, seconds=number(match[5]))
    if match[4] == "batch":
        return statement._replace(steps=1)
    images = int(match[3]) - seen if seen is not None else 0
    return statement._replace(images=images if images > 0 else None)
