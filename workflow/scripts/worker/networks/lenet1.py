"""LeNet-1 as it is tested for robustness: two padded convolutions with ReLU, one dense layer."""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "LeCun et al. 1990, in the form of DeepXplore's MNIST/Model1.py (Pei et al. 2017)"
PUBLISHED = {"1x28x28-10": 7206}


def define(net: Network) -> Layer:
    """Conv 4, pool, conv 12, pool, and the logits."""
    x = net.input
    for number, channels in enumerate((4, 12), start=1):
        x = net.conv_relu(f"conv{number}", x, channels, kernel=5, padding=2)
        x = net.max_pool(f"pool{number}", x, kernel=2, stride=2)
    return net.dense("dense", x, net.classes, gain=1)
