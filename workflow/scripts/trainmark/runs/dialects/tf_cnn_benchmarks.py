"""The log of tf_cnn_benchmarks: a line every ten steps, and one of the whole at the end.

Each line's speed is the batch over the mean of all step times since the warm-up, which isn't
printed; the last line's is all images over the time from the first of these steps to the last. On
several workers each prints its own.

Source: https://github.com/tensorflow/benchmarks/blob/master/scripts/tf_cnn_benchmarks/benchmark_cnn.py
"""

import re
from collections.abc import Iterable, Iterator

from trainmark.runs.logs.statements import COUNT, NUMBER, Progress, number

EXPECTED = 'lines like "10 images/sec: 46.7 +/- 0.4 (jitter = 1.8) 8.734"'
LEAVES_OUT = "the steps of warm-up, ten or more; else nothing"

STEP = re.compile(
    rf"{COUNT}\s{{1,20}}images/sec: {NUMBER} \+/- {NUMBER} \(jitter = {NUMBER}\)\s{{1,20}}{NUMBER}"
)
TOTAL = re.compile(rf"total images/sec: {NUMBER}")


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield what each line says of the steps so far; the total has no step."""
    for line in lines:
        if match := STEP.search(line):
            step, speed, _, _, loss = match.groups()
            yield Progress(
                step=int(step), images_per_second=number(speed), is_total=True, loss=number(loss)
            )
        elif match := TOTAL.search(line):
            yield Progress(images_per_second=number(match[1]), is_total=True)
