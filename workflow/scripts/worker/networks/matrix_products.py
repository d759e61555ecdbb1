"""Four large matrix products: hardly anything but multiply-adds, to see what a machine can do.

No network that anyone trains. On batches of some hundred images, what a framework reaches here is
near to the most that its kernels reach anywhere, and the best of all frameworks is the roof that
other networks are held against.
"""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "the roof of Williams et al. 2009, Roofline: An Insightful Visual Performance Model"
PUBLISHED = {"1x32x64-1000": 14638056}

UNITS = 2048


def define(net: Network) -> Layer:
    """Three dense layers of 2,048 units without activations, and one of the classes."""
    x = net.input
    for number in range(1, 4):
        x = net.dense(f"product{number}", x, UNITS, gain=1)
    return net.dense("logits", x, net.classes, gain=1)
