"""Logits of one of our networks in PyTorch, and of torchvision's with the same weights.

usage: python -I probe_torchvision.py SCRIPTS NETWORK NAME OUTPUT

NAME is torchvision's for the network. Weights are handed over in the order of the layers, each of
the same shape; scales, shifts, biases and running statistics are no constants here.
"""

import sys

import numpy
import torch
from torchvision import models

scripts, network_name, name, output = sys.argv[1:]
sys.path.append(scripts)
from worker import networks, weights  # noqa: E402
from worker.frameworks.pytorch import Adapter  # noqa: E402

IMAGE_SHAPE, CLASSES, SEED = (3, 224, 224), 1000, 1
JOB = {
    **{"device": "cpu", "precision": "float32", "options": {}, "threads": 2, "batch_size": 2},
    **{"learning_rate": 0.1, "momentum": 0, "weight_decay": 0, "seed": SEED},
}


def drawn(network):
    """Weights of which none is a constant."""
    random = numpy.random.RandomState(SEED)
    initial = weights.initial(network, SEED)
    for weight in network.weights:
        if weight.role != "kernel":
            initial[weight.name] += random.random_sample(weight.shape).astype(numpy.float32)
    return initial


def hand_over(arrays, module):
    """Load arrays into a module, one after the other."""
    state = module.state_dict()
    names = [name for name in state if not name.endswith("num_batches_tracked")]
    for name, array in zip(names, arrays, strict=True):
        assert state[name].shape == array.shape, name
        state[name].copy_(torch.from_numpy(array))


network = networks.build(network_name, IMAGE_SHAPE, CLASSES)
given = drawn(network)
images = numpy.random.RandomState(SEED).standard_normal((2, *IMAGE_SHAPE)).astype(numpy.float32)

ours = Adapter(JOB)
ours.build(network)
ours.load(given)
logits, _ = ours.predict(ours.batch(images, numpy.zeros(2, numpy.int64)))

theirs = models.get_model(name, num_classes=CLASSES).eval()
hand_over([given[weight.name] for weight in network.weights], theirs)
with torch.inference_mode():
    expected = theirs(torch.from_numpy(images)).numpy()
numpy.savez(output, ours=logits, theirs=expected)
