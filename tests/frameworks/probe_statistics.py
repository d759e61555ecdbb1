"""The running statistics after a step on two devices, and after one on each one's part alone.

usage: python -I probe_statistics.py SCRIPTS JOB OUTPUT

The job is of two devices, to which unlike images fall. Writes an .npz of <statistic>/whole
(channels,) and <statistic>/parts (2, channels), and of the logits (2, n, classes) that each of the
two devices then predicts of the same n images.
"""

import sys

import numpy

scripts, job_path, output = sys.argv[1:]
sys.path.append(scripts)
from worker import frameworks  # noqa: E402
from worker.job import read  # noqa: E402
from worker.networks.neutral import update_rule, weights  # noqa: E402
from worker.networks.neutral.builder import Network  # noqa: E402


def trained(job, images):
    """The adapter after one step on the images."""
    network = Network(job.image_shape, job.classes)
    x = network.batch_norm("norm", network.conv("conv", network.input, 4, kernel=3))
    network.dense("dense", x, job.classes)
    adapter = frameworks.find(job)(job)
    adapter.build(network, update_rule.of_job(job))
    adapter.load(weights.initial(network, job.seed))
    adapter.train_step(batch(adapter, images))
    return adapter


def batch(adapter, images):
    """A batch of the images, all of one class: what the statistics are doesn't depend on it."""
    return adapter.batch(images, numpy.zeros(len(images), numpy.int64))


def main(job):
    """Probe the job's adapter; several devices first, which TensorFlow makes when it starts."""
    random = numpy.random.RandomState(1)
    parts = [
        random.normal(mean, deviation, (job.batch_size // 2, *job.image_shape))
        for mean, deviation in ((0, 1), (1, 3))
    ]
    parts = [part.astype(numpy.float32) for part in parts]
    both = trained(job, numpy.concatenate(parts))
    whole = both.weights()
    logits, _ = both.predict(batch(both, numpy.concatenate(parts[:1] * 2)))
    alone = job._replace(device="cpu", batch_size=job.batch_size // 2)
    each = [trained(alone, part).weights() for part in parts]
    arrays = {"logits": logits.reshape(2, -1, job.classes)}
    for name in ("norm/running_mean", "norm/running_variance"):
        arrays[name + "/whole"] = whole[name]
        arrays[name + "/parts"] = numpy.stack([one[name] for one in each])
    numpy.savez(output, **arrays)


if __name__ == "__main__":
    main(read(job_path))
