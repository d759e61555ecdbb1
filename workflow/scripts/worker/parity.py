"""Proof of equal work: the first training step on a fixed batch, compared with the reference.

An observation is a dict of numpy arrays, the same whether the float64 reference or a framework
was observed:

- logits (n, classes): evaluation mode, initial weights
- loss (): mean cross entropy of the first step, before its update, in training mode
- gradient_norm (trainable tensors,): Euclidean norm per tensor, from the first step's update
- update/<tensor>: up to SAMPLE elements, evenly spread, of how far the first step moved the tensor
- momentum (): how far the second step's velocity is from what the recipe says
- logits_after (n, classes): evaluation mode, after the first step, so with moved running statistics
"""

import numpy

from worker import devices
from worker.network import TRAINABLE_ROLES

DISTINCT_IMAGES = 8
SAMPLE = 4096
TOLERANCES = {
    "logits": 1e-3,
    "loss": 1e-3,
    "gradient_norm": 1e-2,
    "update": 2e-2,
    "momentum": 2e-2,
    "logits_after": 1e-2,
}


def fixed_batch(job, draw=0):
    """Normalised images float32 (n, C, H, W) and labels int64 (n,) for n = distinct_images(job).

    Each draw gives another batch.
    """
    generator = numpy.random.RandomState(job["seed"] + draw)
    count = distinct_images(devices.batch_size(job))
    images = generator.standard_normal((count, *job["image_shape"]))
    labels = generator.randint(0, job["classes"], count)
    return images.astype(numpy.float32), labels.astype(numpy.int64)


def distinct_images(batch_size):
    """The largest divisor up to 8 of the batch size (of one device).

    A batch that repeats these images has the same mean loss, the same gradients and the same
    batch statistics as the images alone, on each device, so the reference needs to compute only
    them.
    """
    return max(n for n in range(1, DISTINCT_IMAGES + 1) if batch_size % n == 0)


def fill(batch, batch_size):
    """Repeat a batch's images and labels up to the batch size."""
    images, labels = batch
    times = batch_size // len(labels)
    return numpy.tile(images, (times, 1, 1, 1)), numpy.tile(labels, times)


def observe(adapter, network, initial, batch, job, first_step):
    """Train three steps from the initial weights, two of them second ones: the observation.

    `batch` is the adapter's own; `first_step` is the adapter's train_step, possibly timed.
    Learning rate, momentum and weight decay are the job's.
    """
    count = distinct_images(devices.batch_size(job))
    trainable = [w.name for w in network.weights if w.role in TRAINABLE_ROLES]
    logits = adapter.predict(batch)[0][:count]
    loss = float(first_step(batch))
    after = adapter.weights()
    logits_after = adapter.predict(batch)[0][:count]
    moves = {name: _double(after[name]) - initial[name] for name in trainable}
    observation = {
        "logits": logits,
        "loss": loss,
        "gradient_norm": [_gradient_norm(initial[n], moves[n], job) for n in trainable],
        "momentum": _momentum_error(adapter, batch, after, moves, job["momentum"]),
        "logits_after": logits_after,
    }
    for name in trainable:
        observation["update/" + name] = _sample(moves[name])
    return {name: numpy.asarray(value) for name, value in observation.items()}


def compare(reference, observed, initial):
    """The relative error of each quantity, the worst tensor's name, and whether all are tolerable.

    Logits: largest difference over the largest logit. Loss: relative. Gradient norm: per tensor,
    over the reference's or a 10,000th of its largest one. Update: per tensor, over the reference's
    or what float32 can resolve.
    """
    names = [key[len("update/") :] for key in reference if key.startswith("update/")]
    norms = reference["gradient_norm"]
    gradients = abs(observed["gradient_norm"] - norms) / numpy.maximum(norms, 1e-4 * norms.max())
    updates = [
        _relative_error(observed["update/" + n], reference["update/" + n], _sample(initial[n]))
        for n in names
    ]
    errors = {
        "logits": _largest_error(reference["logits"], observed["logits"]),
        "loss": float(abs(observed["loss"] / reference["loss"] - 1)),
        "gradient_norm": float(gradients.max()),
        "update": float(numpy.max(updates)),
        "momentum": float(observed["momentum"]),
        "logits_after": _largest_error(reference["logits_after"], observed["logits_after"]),
    }
    worst = int(numpy.argmax(numpy.maximum(gradients, updates)))
    passed = all(errors[quantity] <= limit for quantity, limit in TOLERANCES.items())
    return dict(
        errors,
        error=float(numpy.max(list(errors.values()))),
        worst_layer=names[worst],
        passed=passed,
    )


def _gradient_norm(before, move, job):
    """The first step has no momentum yet: move = -learning_rate * (g + weight_decay * w)."""
    return numpy.linalg.norm(move / job["learning_rate"] + job["weight_decay"] * before)


def _momentum_error(adapter, batch, after, moves, momentum):
    """Take the second step twice, with the first step's velocity and without.

    By the recipe the two end apart by exactly momentum times the first move, whatever the second
    gradient is; a comparison with the reference would compare chaotic second gradients instead.
    """
    adapter.train_step(batch)
    carried = adapter.weights()
    adapter.load(after)
    adapter.train_step(batch)
    restarted = adapter.weights()
    errors = [
        _relative_error(_double(carried[name]) - restarted[name], momentum * move, after[name])
        for name, move in moves.items()
    ]
    return numpy.max(errors)  # which, unlike max, loses no NaN


def _relative_error(actual, expected, weights):
    """Of norms; a difference that float32 can't resolve beside these weights counts for little."""
    resolution = 100 * 2.0**-23 * numpy.linalg.norm(weights)
    scale = max(numpy.linalg.norm(expected), resolution, numpy.finfo(numpy.float32).tiny)
    return float(numpy.linalg.norm(actual - expected) / scale)


def _largest_error(expected, actual):
    return float(numpy.max(numpy.abs(actual - expected)) / numpy.max(numpy.abs(expected)))


def _sample(array):
    flat = array.reshape(-1)
    return flat[:: max(1, flat.size // SAMPLE)][:SAMPLE]


def _double(array):
    return numpy.asarray(array, numpy.float64)
