"""What an adapter makes of the stored images of some jobs, seen in its framework's own Python.

usage: python -I probe_epochs.py SCRIPTS JOBS

Writes for each job an .npz (0.npz and so on) of pixels/<split> (n, C*H*W) and labels/<split> (n,):
of the test split, and of two epochs of the train split. Pixels come out of a network that hands its
input on: a dense layer whose kernel is the identity.
"""

import itertools
import json
import sys
from pathlib import Path

import numpy

scripts, jobs_path = sys.argv[1:]
sys.path.append(scripts)
from worker import frameworks  # noqa: E402
from worker.input import modes  # noqa: E402
from worker.job import of  # noqa: E402
from worker.networks.neutral import update_rule  # noqa: E402
from worker.networks.neutral.builder import Network  # noqa: E402


def handing_on(job):
    """The job's adapter, whose logits are the pixels."""
    network = Network(job.image_shape, job.classes)
    size = int(numpy.prod(job.image_shape))
    network.dense("pixels", network.input, size)
    identity = {
        "pixels/weight": numpy.eye(size, dtype=numpy.float32),
        "pixels/bias": numpy.zeros(size, numpy.float32),
    }
    adapter = frameworks.find(job)(job)
    adapter.build(network, update_rule.of_job(job))
    adapter.load(identity)
    return adapter


def epochs(job):
    """Pixels and labels by split.

    All batches are held before the first is looked at, as a cached input mode does.
    """
    adapter = handing_on(job)
    epoch = len(list(modes.one_epoch(adapter, job)))
    train = itertools.islice(modes.batches(adapter, job, "train"), 2 * epoch)
    test = modes.batches(adapter, job, "test")
    for split, batches in (("train", list(train)), ("test", list(test))):
        predictions = [adapter.predict(batch) for batch in batches]
        yield "pixels/" + split, numpy.concatenate([logits for logits, _ in predictions])
        yield "labels/" + split, numpy.concatenate([labels for _, labels in predictions])


if __name__ == "__main__":
    contents = json.loads(Path(jobs_path).read_text(encoding="utf-8"))
    for number, content in enumerate(contents):
        numpy.savez(f"{number}.npz", **dict(epochs(of(content))))
