"""CNTK: the ProgressPrinter of its Python library, and the trainer of its BrainScript.

ProgressPrinter says the loss of some minibatches, and the speed of an epoch when that is over: all
its samples over the time since the epoch before was over, or since the printer was made.
BrainScript's trainer says loss and time of some minibatches and of the epoch; its versions differ
in words (time, TotalTime; epochTime, EpochTime), and old ones have loss and samples apart.

Sources: https://github.com/microsoft/CNTK/blob/master/bindings/python/cntk/logging/progress_print.py
and https://github.com/microsoft/CNTK/blob/master/Source/SGDLib/SGD.cpp
"""

import re
from collections.abc import Iterable, Iterator

from trainmark.runs.logs.statements import COUNT, NUMBER, Progress, number

EXPECTED = 'lines like "Finished Epoch[1 of 9]: [Training] loss = 1.2 * 64 0.1s (640 samples/s);"'
LEAVES_OUT = "nothing; takes in the set-up, later also evaluations and checkpoints"

RANGE = rf"\[ {{0,9}}\d{{1,12}}- {{0,9}}{COUNT}[^\]]{{0,40}}\]: "
PRINTED = re.compile(rf"Minibatch{RANGE}(?=loss = )")
TRAINED = re.compile(rf"Epoch\[ {{0,9}}{COUNT} of \d{{1,12}}\]-Minibatch{RANGE}")
EPOCH = re.compile(rf"Finished Epoch ?\[ {{0,9}}{COUNT}(?: of \d{{1,12}})?\]: (?!\[Valid)")
# What is minimised comes first, per sample, and behind it or before it of how many samples.
CRITERION = re.compile(
    rf"(?:\[[^\]]{{1,99}}\] )?(?:SamplesSeen = {COUNT}; )?[\w.]{{1,99}} = {{1,12}}{NUMBER}"
    rf"(?: \* {COUNT})?"
)
SECONDS = re.compile(rf"(?:[tT]ime ?= ?|\* \d{{1,12}} ){NUMBER}s?")


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield a loss for each line, and with it a time and of how many images it is, if it says so.

    ProgressPrinter's lines on minibatches don't say of which epoch they are.
    """
    for line in lines:
        if match := EPOCH.search(line):
            statement = Progress(epoch=int(match[1]), is_total=True)
        elif match := TRAINED.search(line):
            statement = Progress(epoch=int(match[1]), step=int(match[2]))
        elif match := PRINTED.search(line):
            statement = Progress(step=int(match[1]))
        else:
            continue
        criterion = CRITERION.match(line, match.end())
        if criterion and criterion[3] != "0":  # a session without data ends an epoch too
            yield _measured(statement, criterion)


def _measured(statement: Progress, criterion: re.Match[str]) -> Progress:
    """The loss; and seconds and images, which are of use only together."""
    before, loss, behind = criterion.groups()
    images = before or behind
    seconds = SECONDS.search(criterion.string, criterion.end(2))
    return statement._replace(
        loss=number(loss),
        seconds=number(seconds[1]) if seconds else None,
        images=int(images) if images and seconds else None,
    )
