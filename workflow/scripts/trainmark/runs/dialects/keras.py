"""Keras's Model.fit: its progress bar (verbose=1), and its line for each epoch (verbose=2).

A bar is drawn over itself, with carriage returns and backspaces that a file keeps. Its time of a
step leaves out the epoch's first one, which the line of verbose=2 takes in; both take in the
validation, which ends before they do. Until 2020 arrays were counted in samples, at first under the
name of steps: what counts to the number that "Train on 60000 samples" named are samples.

Sources: https://github.com/keras-team/keras/blob/master/keras/src/utils/progbar.py (Keras 3) and
https://github.com/keras-team/tf-keras/blob/master/tf_keras/utils/generic_utils.py (Keras 2)
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainmark.runs.logs.statements import COUNT, NUMBER, Progress, number

EXPECTED = 'lines like "422/422 [====] - 13s 29ms/step - loss: 0.78 - accuracy: 0.76"'
LEAVES_OUT = "nothing (a bar the epoch's first step); takes in validation, rounds to whole ms"

REDRAWN = re.compile(r"[\r\b]+")
COLOUR = re.compile(r"\x1b\[[\d;]{0,9}m")
SAMPLES = re.compile(rf"Train on {COUNT} samples")
EPOCH = re.compile(rf"\s{{0,9}}Epoch {COUNT}/\d{{1,12}}\b")
DONE = re.compile(rf"\s{{0,200}}{COUNT}/(?:{COUNT}|Unknown)( - |\b)")
LINE = re.compile(r"\s{0,9}(?:- )?\d{1,12}s - ")  # of older versions, without a count
LOSS = re.compile(rf"\bloss: {NUMBER}")
EACH = re.compile(rf"\b{COUNT}(us|ms|s)/(step|sample)\b")
A_SECOND = {"us": 1_000_000, "ms": 1_000, "s": 1}
# Behind a bar, or at the begin of a line; not what is left to do, which is behind "ETA:".
ELAPSED = re.compile(rf"(?<!ETA:)(?:^| ){COUNT}s(?= )")


class Position(NamedTuple):
    """How far training is: `done` of `target` steps or samples; None where there is no count."""

    epoch: int | None = None
    done: int | None = None
    target: int | None = None

    def goes_on(self, done: int, target: int | None, is_line: bool) -> bool:
        """Whether a count is of the same epoch: an evaluation begins anew, or has another end.

        An epoch has one line, where it has no bar.
        """
        same_end = None in (self.target, target) or self.target == target
        is_second = is_line and target is not None and self.done == target
        return same_end and not is_second and done >= (self.done or 0)


def progress(lines: Iterable[str]) -> Iterator[Progress]:
    """Yield the loss of each drawing or line, and the mean time of a step once it says so.

    What follows an epoch without a new "Epoch 2/10" is an evaluation, and yields nothing.
    """
    position, samples, is_training = Position(), None, True
    for text in _drawings(lines):
        if match := SAMPLES.search(text):
            samples = int(match[1])
        if match := EPOCH.match(text):
            position, is_training = Position(int(match[1])), True
            text = text[match.end() :]
        loss, counted = LOSS.search(text), DONE.match(text)
        if loss is None or not (counted or LINE.match(text)):  # a prediction, a download
            continue
        if counted:
            done, target = int(counted[1]), int(counted[2]) if counted[2] else None
            is_training = is_training and position.goes_on(done, target, counted[3] == " - ")
            position = Position(position.epoch, done, target)
        if is_training:
            statement = _timed(text[counted.end() :] if counted else text, position, samples)
            yield statement._replace(loss=number(loss[1]))


def _drawings(lines: Iterable[str]) -> Iterator[str]:
    """Each state of each line, without colours."""
    for line in lines:
        yield from REDRAWN.split(COLOUR.sub("", line))


def _timed(text: str, position: Position, samples: int | None) -> Progress:
    """The time in the words behind a count; whole seconds only where there is no other."""
    each, elapsed = EACH.search(text), ELAPSED.search(text)
    are_samples = samples is not None and position.target == samples
    count = 1 if each else position.done
    statement = Progress(step=None if are_samples else position.done, epoch=position.epoch)
    if each:
        statement = statement._replace(seconds=int(each[1]) / A_SECOND[each[2]], is_total=True)
    elif elapsed:
        statement = statement._replace(seconds=float(elapsed[1]), is_total=True)
    else:
        return statement
    return statement._replace(images=count) if are_samples else statement._replace(steps=count)
