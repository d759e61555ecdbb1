"""The running statistics after a step on two devices, and after one on each one's part alone.

usage: python -I probe_statistics.py SCRIPTS JOB OUTPUT

The job is of two devices, to which unlike images fall. Writes an .npz of <statistic>/whole
(channels,) and <statistic>/parts (2, channels).
"""

import importlib
import json
import sys
from pathlib import Path

import numpy

scripts, job_path, output = sys.argv[1:]
sys.path.append(scripts)
from worker import weights  # noqa: E402
from worker.network import Network  # noqa: E402


def statistics(adapter_class, job, images):
    """All weights, the running statistics among them, after one step on the images."""
    network = Network(job["image_shape"], job["classes"])
    x = network.batch_norm("norm", network.conv("conv", network.input, 4, kernel=3))
    network.dense("dense", x, job["classes"])
    adapter = adapter_class(job)
    adapter.build(network)
    adapter.load(weights.initial(network, job["seed"]))
    labels = numpy.arange(len(images)) % job["classes"]
    adapter.train_step(adapter.batch(images, labels))
    return adapter.weights()


def main(job):
    """Probe the job's adapter; several devices first, which TensorFlow makes when it starts."""
    adapter_class = importlib.import_module("worker.frameworks." + job["adapter"]).Adapter
    random = numpy.random.RandomState(1)
    parts = [
        random.normal(mean, deviation, (job["batch_size"] // 2, *job["image_shape"]))
        for mean, deviation in ((0, 1), (1, 3))
    ]
    parts = [part.astype(numpy.float32) for part in parts]
    whole = statistics(adapter_class, job, numpy.concatenate(parts))
    alone = dict(job, device="cpu", batch_size=job["batch_size"] // 2)
    each = [statistics(adapter_class, alone, part) for part in parts]
    found = {}
    for name in ("norm/running_mean", "norm/running_variance"):
        found[name + "/whole"] = whole[name]
        found[name + "/parts"] = numpy.stack([one[name] for one in each])
    numpy.savez(output, **found)


if __name__ == "__main__":
    main(json.loads(Path(job_path).read_text(encoding="utf-8")))
