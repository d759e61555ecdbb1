"""The log of Caffe2's ResNet-50 trainer: a line of speed for each iteration, and one of its loss.

Source: https://github.com/pytorch/pytorch/blob/v1.4.0/caffe2/python/examples/resnet50_trainer.py
(RunEpoch).
"""

import re
from collections.abc import Iterable, Iterator

from trainmark.runs.logs.statements import COUNT, NUMBER, Progress, number

EXPECTED = 'lines like "Finished iteration 20/5004 of epoch 0 (123.45 images/sec)"'
LEAVES_OUT = (
    "what happens between two runs of the net: fetching and printing the loss; a mean of its lines "
    "favours the fast ones"
)

FINISHED = re.compile(
    rf"Finished iteration {COUNT}/\d{{1,12}} of epoch {COUNT} \({NUMBER} images/sec\)"
)
LOSS = re.compile(rf"Training loss: {NUMBER}")


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield the speed of each iteration, and each loss, which is behind it."""
    for line in lines:
        if finished := FINISHED.search(line):
            step, epoch, speed = finished.groups()
            yield Progress(int(step), int(epoch), images_per_second=number(speed))
        elif loss := LOSS.search(line):
            yield Progress(loss=number(loss[1]))
