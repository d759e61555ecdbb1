"""Robustness of a network against attacks, and against the adversarial images of another run."""

import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence

import numpy

from worker import events
from worker.accuracy.evaluation import ranks
from worker.attacks.harness.process import Attacker
from worker.attacks.harness.target import Target
from worker.job import Job

ADVERSARIAL = "adversarial.npz"
"""The file of the attacked images (n, C, H, W), their labels (n,) and logits (n, classes).

For each attack with each epsilon, it has the attack's name (attacks), the epsilon or NaN
(epsilons), the adversarial images (found: attempts, n, C, H, W) and their logits (found_logits:
attempts, n, classes). Pixels are float32 from 0 to 1.
"""


class Attempt(NamedTuple):
    """An attack on images with one epsilon.

    Attributes:
        attack: the attack's name.
        epsilon: the limit of a pixel's change, or NaN.
        images: the adversarial images (n, C, H, W).
        logits: the logits of these images (n, classes).
        cost: the seconds, and the numbers of images in requests for predictions and for gradients.

    """

    attack: str
    epsilon: float
    images: numpy.ndarray
    logits: numpy.ndarray
    cost: Dict[str, Any]


def measure(attacker: Attacker, target: Target, job: Job) -> None:
    """Run each attack with each epsilon; emit the event `attacks`, and store the images."""
    images, labels = target.images(job.attack_images)
    logits = target.predict(images)
    attempts = list(attack(attacker, target, job, images))
    rows = []
    for each in attempts:
        success = fooled(logits, each.logits, labels)
        changed = distances((each.images - images)[success])
        rows.append(dict(each.cost, **changed, **fields(each.attack, each.epsilon, success)))
    emit("attacks", logits, labels, rows)
    numpy.savez(
        ADVERSARIAL,
        images=images,
        labels=labels,
        logits=logits,
        attacks=numpy.array([each.attack for each in attempts]),
        epsilons=numpy.array([each.epsilon for each in attempts]),
        found=numpy.stack([each.images for each in attempts]),
        found_logits=numpy.stack([each.logits for each in attempts]),
    )


def attack(
    attacker: Attacker, target: Target, job: Job, images: numpy.ndarray
) -> Iterator[Attempt]:
    """Yield each attack with each epsilon; seconds include the Toolbox's and the framework's."""
    for name in job.attacks:
        target.reset()
        start = time.monotonic()
        for epsilon, adversarial in attacker.attack(name, job.epsilons, images):
            cost = dict(target.counts, seconds=time.monotonic() - start)
            yield Attempt(name, epsilon, adversarial, target.predict(adversarial), cost)
            target.reset()
            start = time.monotonic()


def transfer(target: Target, job: Job) -> None:
    """Predict the adversarial images that another run stored, if any; emit `transferred`."""
    path = Path(str(job.attacked)).with_name(ADVERSARIAL)
    if not path.exists():
        return
    with numpy.load(str(path)) as file:
        stored = dict(file)
    labels, logits, rows = stored["labels"], target.predict(stored["images"]), []
    each_attack = zip(*(stored[name] for name in ("attacks", "epsilons", "found", "found_logits")))
    for name, epsilon, adversarial, logits_there in each_attack:
        logits_here = target.predict(adversarial)
        there = fooled(stored["logits"], logits_there, labels)
        row = fields(str(name), float(epsilon), fooled(logits, logits_here, labels))
        passed = there & ~recognised(logits_here, labels)
        rows.append(dict(row, made=int(there.sum()), passed=int(passed.sum())))
    emit("transferred", logits, labels, rows)


def fields(name: str, epsilon: float, success: numpy.ndarray) -> Dict[str, Any]:
    """The fields of an attack that the events `attacks` and `transferred` share."""
    return dict(attack=name, epsilon=epsilon, fooled=int(success.sum()))


def emit(
    event: str, logits: numpy.ndarray, labels: numpy.ndarray, rows: Sequence[Dict[str, Any]]
) -> None:
    """Emit an event with a list for each field of `rows`.

    count: the number of images; recognised: the number of images predicted right before attacks.
    """
    columns: Dict[str, List[Any]] = {name: [row[name] for row in rows] for name in rows[0]}
    count = int(recognised(logits, labels).sum())
    events.emit(event, None, count=len(labels), recognised=count, **columns)


def recognised(logits: numpy.ndarray, labels: numpy.ndarray) -> numpy.ndarray:
    """Whether each image is predicted right, bool (n,), by logits (n, classes)."""
    is_right: numpy.ndarray = ranks(logits, labels) < 1
    return is_right


def fooled(before: numpy.ndarray, after: numpy.ndarray, labels: numpy.ndarray) -> numpy.ndarray:
    """Whether each image is predicted right before the attack and wrong after it, bool (n,).

    before, after: the logits (n, classes) of the unchanged and of the adversarial images.
    """
    is_fooled: numpy.ndarray = recognised(before, labels) & ~recognised(after, labels)
    return is_fooled


def distances(differences: numpy.ndarray) -> Dict[str, Optional[float]]:
    """Mean and median L2 and L-infinity norm of differences (n, C, H, W); None if n is 0."""
    double, axes = differences.astype(numpy.float64), (1, 2, 3)
    norms = {
        "l2": numpy.sqrt(numpy.square(double).sum(axis=axes)),
        "linf": numpy.abs(double).max(axis=axes),
    }
    return {
        f"{name}_{kind}": float(statistic(values)) if len(values) else None
        for name, values in norms.items()
        for kind, statistic in (("mean", numpy.mean), ("median", numpy.median))
    }
