"""Logits of one of our networks in PyTorch, and of torchvision's with the same weights.

usage: python -I probe_torchvision.py SCRIPTS JOB OUTPUT

Weights go over in the order of the layers, each of the same shape, but for dense layers that are
convolutions there; scales, shifts, biases and running statistics are no constants here.
"""

import sys

import numpy
import torch
from torchvision import models

scripts, job_path, output = sys.argv[1:]
sys.path.append(scripts)
from worker import networks  # noqa: E402
from worker.frameworks.pytorch.adapter import Adapter  # noqa: E402
from worker.input import fixed_batch  # noqa: E402
from worker.job import read  # noqa: E402
from worker.networks.neutral import update_rule, weights  # noqa: E402


def drawn(network, seed):
    """Weights of which none is a constant; more noise would make EfficientNet ill-conditioned."""
    random = numpy.random.RandomState(seed)
    initial = weights.initial(network, seed)
    for weight in network.weights:
        if weight.role != "kernel":
            noise = 0.3 * random.random_sample(weight.shape)
            initial[weight.name] += noise.astype(numpy.float32)
    return initial


def hand_over(arrays, module):
    """Load arrays into a module, one after the other."""
    state = module.state_dict()
    names = [name for name in state if not name.endswith("num_batches_tracked")]
    for name, array in zip(names, arrays, strict=True):
        state[name].copy_(torch.from_numpy(array).reshape(state[name].shape))


job = read(job_path)
network = networks.build(job.network, job.image_shape, job.classes)
start_weights = drawn(network, job.seed)
images, labels = fixed_batch.whole(job)

ours = Adapter(job)
ours.build(network, update_rule.of_job(job))
ours.load(start_weights)
logits, _ = ours.predict(ours.batch(images, labels))

theirs = models.get_model(job.network, num_classes=job.classes).eval()
hand_over([start_weights[weight.name] for weight in network.weights], theirs)
with torch.inference_mode():
    expected = theirs(torch.from_numpy(images)).numpy()
numpy.savez(output, ours=logits, theirs=expected)
