"""The LoggingHandler of MXNet's Gluon Estimator.

A line's time is the sum of the batches since the line before, without what lies between two
batches; the first line of an epoch counts the last batches of the epoch before. Of how many images
it is, the samples seen so far tell. Versions before 1.6 print each batch with a time of its own.

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
        elif found := BATCH.search(line):
            yield _batch(found, samples)
            samples = int(found[3])
        elif found := STEP.search(line):
            yield _common(found)._replace(seconds=number(found[2]), steps=1)
        elif (found := EPOCH.search(line)) and "validation" not in line:
            yield _common(found)._replace(seconds=number(found[2]), is_total=True)


def _common(found: re.Match[str]) -> Progress:
    """What all lines have: an epoch, a stamp if the logger writes one, a loss if it is a metric."""
    loss = LOSS.search(found.string, found.end())
    return Progress(
        epoch=int(found[1]), loss=number(loss[1]) if loss else None, time=stamp(found.string)
    )


def _batch(found: re.Match[str], seen: int | None) -> Progress:
    said = _common(found)._replace(step=int(found[2]) + 1, seconds=number(found[5]))
    if found[4] == "batch":
        return said._replace(steps=1)
    images = int(found[3]) - seen if seen is not None else 0
    return said._replace(images=images if images > 0 else None)
