"""Accuracy on the test split, unchanged and corrupted."""

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
"""The file of the test split's logits (n, classes) float32 and labels (n,) int64.

Runs that keep their weights, or use another run's weights, write this file. It also has the logits
of the images in each corruption, by the names of logits_in().
"""

Arrays = Dict[str, numpy.ndarray]
"""The arrays of a file of predictions; empty if the run that trained was not evaluated."""


def evaluate(adapter: Adapter, job: Job) -> None:
    """Emit top-1 and top-5 accuracy, after training or with the weights of another run.

    If predictions are kept, also emit their agreement with the predictions of the framework that
    trained, and then accuracy and agreement for each corruption that the job names.
    """
    start = time.monotonic()
    batches: Iterable[Predictions] = predictions(adapter, job)
    is_kept = job.keep_weights or job.trained is not None
    if is_kept:
        batches = [concatenated(batches)]
    events.emit("evaluation", **shares(batches), seconds=time.monotonic() - start)
    if is_kept:
        ((logits, labels),) = batches
        trainer = trained_predictions(job)
        if trainer:
            events.emit("agreement", **agreement(logits, trainer["logits"], labels))
        in_corruptions = corrupted(adapter, job, (logits, labels), trainer)
        arrays: Any = {"logits": logits, "labels": labels, **in_corruptions}
        numpy.savez(PREDICTIONS, **arrays)


def trained_predictions(job: Job) -> Arrays:
    """The predictions of the framework that trained the job's weights; empty if there are none."""
    path = job.trained and Path(job.trained).with_name(PREDICTIONS)
    if not path or not path.exists():
        return {}
    with numpy.load(str(path)) as stored:
        return dict(stored)


def corrupted(adapter: Adapter, job: Job, whole: Predictions, trainer: Arrays) -> Arrays:
    """Emit accuracy, and agreement with the trainer, for each corruption; return the logits.

    whole: the predictions of the whole test split. The event's first values are for the unchanged
    images, from `whole`.
    """
    if not job.corruptions:
        return {}
    start = time.monotonic()
    logits, labels = (each[: job.corrupted_images or None] for each in whole)
    rows = [quantities(logits, labels, trainer.get("logits"))]
    arrays: Arrays = {}
    for name in job.corruptions:
        batches = modes.corrupted_batches(adapter, job, name)
        logits, labels = concatenated(adapter.predictions(batches))
        rows.append(quantities(logits, labels, trainer.get(logits_in(name))))
        arrays[logits_in(name)] = logits
    lists: Any = {quantity: [row[quantity] for row in rows] for quantity in rows[0]}
    names, seconds = [None, *job.corruptions], time.monotonic() - start
    events.emit("corruptions", names=names, seconds=seconds, **lists)
    return arrays


def quantities(
    logits: numpy.ndarray, labels: numpy.ndarray, trainer: Optional[numpy.ndarray]
) -> Dict[str, Any]:
    """Accuracy, and agreement with the trainer's logits if there are any.

    trainer: logits (at least n, classes); the first n belong to the same images as `logits`.
    """
    row = shares([(logits, labels)])
    if trainer is not None:
        row.update(agreement(logits, trainer[: len(labels)], labels))
    return row


def logits_in(corruption: str) -> str:
    """The name of the logits in a corruption, in the file of predictions."""
    return "logits/" + corruption


def agreement(
    logits: numpy.ndarray, expected: numpy.ndarray, labels: numpy.ndarray
) -> Dict[str, Any]:
    """Agreement of predictions with those of the framework that trained, image by image.

    Of texts it is token by token. count: the number of images; same: those with the same predicted
    class; gained: those that only this framework predicts right; lost: those that only the
    framework that trained predicts right; logit_difference: the largest difference between logits,
    divided by the largest logit.
    """
    expected, _ = by_label(expected, labels)
    logits, labels = by_label(logits, labels)
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


def concatenated(batches: Iterable[Predictions]) -> Predictions:
    """Join the predictions of all batches."""
    logits, labels = map(numpy.concatenate, zip(*batches))
    return logits, labels


def shares(batches: Iterable[Predictions]) -> Dict[str, Any]:
    """The number of labels (count), and top-1 and top-5 accuracy in percent.

    An image has one label; a text of a language model has one for each token, and then the mean
    loss is there, too.
    """
    count = top1 = top5 = 0
    loss = None
    for logits, labels in batches:
        is_text = labels.ndim == 2
        logits, labels = by_label(logits, labels)
        rank = ranks(logits, labels)
        top1 += int((rank < 1).sum())
        top5 += int((rank < 5).sum())
        count += len(labels)
        if is_text:
            loss = (loss or 0.0) + float(losses(logits, labels).sum())
    row = dict(count=count, top1=100.0 * top1 / count, top5=100.0 * top5 / count)
    return row if loss is None else dict(row, loss=loss / count)


def by_label(logits: numpy.ndarray, labels: numpy.ndarray) -> Predictions:
    """Logits (n, classes) and labels (n,), of texts all tokens one after the other."""
    return logits.reshape(-1, logits.shape[-1]), labels.reshape(-1)


def losses(logits: numpy.ndarray, labels: numpy.ndarray) -> numpy.ndarray:
    """The cross entropy of each label (n,) after softmax of its logits (n, classes)."""
    exact = logits.astype(numpy.float64)
    highest = exact.max(axis=1)
    sums = numpy.log(numpy.exp(exact - highest[:, None]).sum(axis=1))
    difference: numpy.ndarray = highest + sums - exact[numpy.arange(len(labels)), labels]
    return difference


def ranks(logits: numpy.ndarray, labels: numpy.ndarray) -> numpy.ndarray:
    """The number of classes that are ranked before the right one (n,), by logits (n, classes).

    Classes with equal logits, which are frequent in 8 bits, are ranked by number, as in argmax.
    """
    right = logits[numpy.arange(len(labels)), labels][:, None]
    is_later = numpy.arange(logits.shape[1]) >= labels[:, None]
    # "not below" instead of "above": so NaN is ranked before any number, and is never right
    comes_before = ~(logits < right) & ~((logits == right) & is_later)
    counts: numpy.ndarray = comes_before.sum(axis=1)
    return counts
