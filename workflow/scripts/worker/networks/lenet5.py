"""LeNet-5 as it is tested for robustness: two padded convolutions, three dense layers, ReLU."""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "LeCun et al. 1998, in the form of DeepXplore's MNIST/Model3.py (Pei et al. 2017)"
PUBLISHED = {"1x28x28-10": 107786}


def define(net: Network) -> Layer:
    """Conv 6, pool, conv 16, pool, dense 120, dense 84, and the logits."""
    x = net.input
    for number, channels in enumerate((6, 16), start=1):
        x = net.conv_relu(f"conv{number}", x, channels, kernel=5, padding=2)
        x = net.max_pool(f"pool{number}", x, kernel=2, stride=2)
    for number, units in enumerate((120, 84), start=1):
        x = net.dense(f"dense{number}", x, units)
        x = net.relu(f"dense{number}/relu", x)
    return net.dense("dense3", x, net.classes, gain=1)
