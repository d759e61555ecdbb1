"""The training lines of PyTorch's ImageNet example, and of the many programs made from it.

Each value is followed by its mean over the epoch so far. The time is that of a whole step, with the
wait for data, and of the printed step without waiting for a GPU to end it. Older versions count
from 0, newer ones from 1: a log that has a 0 counts from 0.

Source: https://github.com/pytorch/examples/blob/main/imagenet/main.py
"""

import re
from collections.abc import Iterable, Iterator

from trainmark.runs.logs.statements import COUNT, NUMBER, Progress, number

EXPECTED = 'lines like "Epoch: [0][ 10/5005]\\tTime 0.251 (0.305)\\tData 0.001 (0.023)\\tLoss 6.9"'
LEAVES_OUT = "nothing (the epoch's first step and the wait for data are in it); rounds to whole ms"

STEP = re.compile(
    rf"Epoch: ?\[ {{0,9}}{COUNT} {{0,9}}\] {{0,9}}\[ {{0,9}}{COUNT} {{0,9}}/ {{0,9}}\d{{1,12}}\]"
    rf"\s{{1,20}}Time {{1,12}}{NUMBER} \( {{0,12}}{NUMBER}\)"
)
LOSS = re.compile(rf"\bLoss {{1,12}}{NUMBER}")


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield the mean time of a step of each line, and the loss of the step itself."""
    first = 1
    for line in lines:
        if match := STEP.search(line):
            epoch, step, _, mean = match.groups()
            loss = LOSS.search(line, match.end())
            first = min(first, int(step))
            yield Progress(
                step=int(step) + 1 - first,
                epoch=int(epoch),
                seconds=number(mean),
                steps=1,
                is_total=True,
                loss=number(loss[1]) if loss else None,
            )
