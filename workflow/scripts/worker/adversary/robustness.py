"""How a network stands attacks: each by itself, on the same images; and those made elsewhere."""

import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence

import numpy

from worker import events
from worker.adversary.process import Attacker
from worker.adversary.target import Target
from worker.job import Job
from worker.timing.evaluation import ranks

ADVERSARIAL = "adversarial.npz"
"""Of the images that were attacked: images (n, C, H, W), labels (n,) and logits (n, classes).

Of each attack: its name (attacks), its epsilon or NaN (epsilons), what it made of the images
(found: attacks, n, C, H, W) and the logits of that (found_logits: attacks, n, classes). Pixels are
from 0 to 1, float32.
"""


class Attempt(NamedTuple):
    """What an attack made of images.

    Attributes:
        attack: its name.
        epsilon: which it was given, or NaN.
        images: what it made, of the same shape.
        logits: of these.
        told: seconds, and of how many images it asked predictions and gradients.

    """

    attack: str
    epsilon: float
    images: numpy.ndarray
    logits: numpy.ndarray
    told: Dict[str, Any]


def measure(attacker: Attacker, target: Target, job: Job) -> None:
    """Let each attack try each epsilon; emit the event `attacks`, and keep what they made."""
    images, labels = target.images(job.attack_images)
    logits = target.predict(images)
    made = list(attempts(attacker, target, job, images))
    rows = []
    for each in made:
        success = fooled(logits, each.logits, labels)
        changed = distances((each.images - images)[success])
        rows.append(dict(each.told, **changed, **named(each.attack, each.epsilon, success)))
    tell("attacks", logits, labels, rows)
    numpy.savez(
        ADVERSARIAL,
        images=images,
        labels=labels,
        logits=logits,
        attacks=numpy.array([each.attack for each in made]),
        epsilons=numpy.array([each.epsilon for each in made]),
        found=numpy.stack([each.images for each in made]),
        found_logits=numpy.stack([each.logits for each in made]),
    )


def attempts(
    attacker: Attacker, target: Target, job: Job, images: numpy.ndarray
) -> Iterator[Attempt]:
    """Each attack with each epsilon; the seconds are the attack's own and the framework's."""
    for name in job.attacks:
        target.reset()
        start = time.monotonic()
        for epsilon, found in attacker.attack(name, job.epsilons, images):
            told = dict(target.asked, seconds=time.monotonic() - start)
            yield Attempt(name, epsilon, found, target.predict(found), told)
            target.reset()
            start = time.monotonic()


def transfer(target: Target, job: Job) -> None:
    """Predict what another run's attacks made, where that run has kept it; emit `transferred`."""
    path = Path(str(job.attacked)).with_name(ADVERSARIAL)
    if not path.exists():
        return
    with numpy.load(str(path)) as stored:
        kept = dict(stored)
    labels, logits, rows = kept["labels"], target.predict(kept["images"]), []
    each_attack = zip(*(kept[name] for name in ("attacks", "epsilons", "found", "found_logits")))
    for attack, epsilon, found, logits_there in each_attack:
        here = target.predict(found)
        there = fooled(kept["logits"], logits_there, labels)
        told = named(str(attack), float(epsilon), fooled(logits, here, labels))
        passed = there & ~recognised(here, labels)
        rows.append(dict(told, made=int(there.sum()), passed=int(passed.sum())))
    tell("transferred", logits, labels, rows)


def named(attack: str, epsilon: float, success: numpy.ndarray) -> Dict[str, Any]:
    """An attack's fields of either event."""
    return dict(attack=attack, epsilon=epsilon, fooled=int(success.sum()))


def tell(
    event: str, logits: numpy.ndarray, labels: numpy.ndarray, rows: Sequence[Dict[str, Any]]
) -> None:
    """Emit an event: the images, those recognised before, and a list of each field of the rows."""
    columns: Dict[str, List[Any]] = {name: [row[name] for row in rows] for name in rows[0]}
    count = int(recognised(logits, labels).sum())
    events.emit(event, None, count=len(labels), recognised=count, **columns)


def recognised(logits: numpy.ndarray, labels: numpy.ndarray) -> numpy.ndarray:
    """Whether each image is given its class (n,), by its logits (n, classes)."""
    found: numpy.ndarray = ranks(logits, labels) < 1
    return found


def fooled(before: numpy.ndarray, after: numpy.ndarray, labels: numpy.ndarray) -> numpy.ndarray:
    """Whether an image was recognised before and isn't after (n,), by the logits of both."""
    found: numpy.ndarray = recognised(before, labels) & ~recognised(after, labels)
    return found


def distances(differences: numpy.ndarray) -> Dict[str, Optional[float]]:
    """Mean and median of the Euclidean and of the largest differences; None where n is 0.

    Differences are of images (n, C, H, W).
    """
    double, axes = differences.astype(numpy.float64), (1, 2, 3)
    norms = {
        "l2": numpy.sqrt(numpy.square(double).sum(axis=axes)),
        "linf": numpy.abs(double).max(axis=axes),
    }
    return {
        f"{name}_{kind}": float(take(each)) if len(each) else None
        for name, each in norms.items()
        for kind, take in (("mean", numpy.mean), ("median", numpy.median))
    }
