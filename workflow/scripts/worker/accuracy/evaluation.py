"""Accuracy on the test split, as it is and in corruptions."""

import time
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, Optional

import numpy

from worker import events
from worker.adapter import Adapter
from worker.arrays import Predictions
from worker.input import modes
from worker.job import Job

PREDICTIONS = "predictions.npz"
"""The test split's logits (n, classes) float32 and its labels (n,) int64, where weights go on.

Beside them the logits in each corruption, by the names of logits_in().
"""

Arrays = Dict[str, numpy.ndarray]
"""What stands in such a file, or what is to; of a trainer without an evaluation nothing."""


def evaluate(adapter: Adapter, job: Job) -> None:
    """Emit top-1 and top-5 accuracy, after training or with the weights of another run.

    Then, where predictions are kept, how they agree with those of the framework that trained, and
    both in each corruption that the job names.
    """
    start = time.monotonic()
    found: Iterable[Predictions] = predictions(adapter, job)
    keeps = job.keep_weights or job.trained is not None
    if keeps:
        found = [gathered(found)]
    events.emit("evaluation", **shares(found), seconds=time.monotonic() - start)
    if keeps:
        ((logits, labels),) = found
        trainer = trained_predictions(job)
        if trainer:
            events.emit("agreement", **agreement(logits, trainer["logits"], labels))
        others = corrupted(adapter, job, (logits, labels), trainer)
        kept: Any = {"logits": logits, "labels": labels, **others}
        numpy.savez(PREDICTIONS, **kept)


def trained_predictions(job: Job) -> Arrays:
    """The predictions of the framework that trained the job's weights."""
    beside = job.trained and Path(job.trained).with_name(PREDICTIONS)
    if not beside or not beside.exists():
        return {}
    with numpy.load(str(beside)) as stored:
        return dict(stored)


def corrupted(adapter: Adapter, job: Job, whole: Predictions, trainer: Arrays) -> Arrays:
    """Emit accuracy, and agreement with the trainer, in each corruption; return the logits.

    Before them those of the same images as they are, of the `whole` test split's predictions.
    """
    if not job.corruptions:
        return {}
    start = time.monotonic()
    logits, labels = (each[: job.corrupted_images or None] for each in whole)
    told = [beside(logits, labels, trainer.get("logits"))]
    kept: Arrays = {}
    for name in job.corruptions:
        batches = modes.corrupted_batches(adapter, job, name)
        logits, labels = gathered(adapter.predictions(batches))
        told.append(beside(logits, labels, trainer.get(logits_in(name))))
        kept[logits_in(name)] = logits
    lists: Any = {quantity: [found[quantity] for found in told] for quantity in told[0]}
    names, seconds = [None, *job.corruptions], time.monotonic() - start
    events.emit("corruptions", names=names, seconds=seconds, **lists)
    return kept


def beside(
    logits: numpy.ndarray, labels: numpy.ndarray, trainer: Optional[numpy.ndarray]
) -> Dict[str, Any]:
    """Accuracy and, where the trainer's logits are known (of these images first), agreement."""
    found = shares([(logits, labels)])
    if trainer is not None:
        found.update(agreement(logits, trainer[: len(labels)], labels))
    return found


def logits_in(corruption: str) -> str:
    """The name of the logits in a corruption, in the file of predictions."""
    return "logits/" + corruption


def agreement(
    logits: numpy.ndarray, expected: numpy.ndarray, labels: numpy.ndarray
) -> Dict[str, Any]:
    """How far predictions agree with those of the framework that trained, image by image.

    Of all (count) those of the same class, those that are right here alone (gained) and there alone
    (lost), and the largest difference of two logits, by the largest logit.
    """
    is_right, was_right = (ranks(each, labels) < 1 for each in (logits, expected))
    return dict(
        count=len(labels),
        same=int((logits.argmax(axis=1) == expected.argmax(axis=1)).sum()),
        gained=int((is_right & ~was_right).sum()),
        lost=int((was_right & ~is_right).sum()),
        logit_difference=float(numpy.abs(logits - expected).max() / numpy.abs(expected).max()),
    )


def predictions(adapter: Adapter, job: Job) -> Iterator[Predictions]:
    """The logits and the labels of the test split, batch by batch."""
    return adapter.predictions(modes.batches(adapter, job, "test"))


def gathered(found: Iterable[Predictions]) -> Predictions:
    """The same in one batch."""
    logits, labels = map(numpy.concatenate, zip(*found))
    return logits, labels


def shares(found: Iterable[Predictions]) -> Dict[str, Any]:
    """The images that were predicted (count), and of these the percent of top-1 and top-5."""
    count = top1 = top5 = 0
    for logits, labels in found:
        places = ranks(logits, labels)
        top1 += int((places < 1).sum())
        top5 += int((places < 5).sum())
        count += len(labels)
    return dict(count=count, top1=100.0 * top1 / count, top5=100.0 * top5 / count)


def ranks(logits: numpy.ndarray, labels: numpy.ndarray) -> numpy.ndarray:
    """How many classes come before the right one, by image: 0 where it is recognised.

    Of equal logits the first comes first, as argmax takes it: of 8 bits two may well be equal.
    """
    own = logits[numpy.arange(len(labels)), labels][:, None]
    is_later = numpy.arange(logits.shape[1]) >= labels[:, None]
    # not below rather than above: a NaN comes before any number and never counts as recognised
    comes_before = ~(logits < own) & ~((logits == own) & is_later)
    places: numpy.ndarray = comes_before.sum(axis=1)
    return places
