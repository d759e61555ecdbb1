"""The log of Theano's deep learning tutorials: a line each hundred iterations, minutes at the end.

Of how many images the minutes are, it doesn't say; and they have two decimals.

Source: https://github.com/lisa-lab/DeepLearningTutorials/blob/master/code/convolutional_mlp.py.
"""

import re
from collections.abc import Iterable, Iterator

from trainmark.runs.logs.statements import COUNT, NUMBER, Progress, number

EXPECTED = 'lines like "training @ iter =  100" and "The code for file mlp.py ran for 12.34m"'
LEAVES_OUT = (
    "nothing; but two decimals of a minute are 0.6 s, and a tutorial's minutes hold its validations"
)

ITERATION = re.compile(rf"training @ iter = {{1,9}}{COUNT}")
VALIDATED = re.compile(rf"epoch {COUNT}, minibatch {COUNT}/{COUNT}, validation error")
MINUTES = re.compile(rf"\bcode for file \S{{1,99}} ran for {NUMBER}m")


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield how far training is, and at the end what all of it took.

    Iterations count from 0, and a line is before its own. The minutes are of the steps up to
    the last validation, which may be in mid-epoch.
    """
    steps = None
    for line in lines:
        if iteration := ITERATION.search(line):
            yield Progress(step=int(iteration[1]))
        elif validated := VALIDATED.search(line):
            epoch, minibatch, minibatches = map(int, validated.groups())
            steps = (epoch - 1) * minibatches + minibatch
            yield Progress(step=minibatch, epoch=epoch)
        elif minutes := MINUTES.search(line):
            yield Progress(seconds=60 * number(minutes[1]), steps=steps, is_total=True)
