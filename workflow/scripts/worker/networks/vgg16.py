"""VGG with 16 layers of weights: configuration D.

Images up to 64 pixels, of which a single pixel is left to classify, get two hidden dense layers of
512 units instead of 4096, as is usual for CIFAR.

Convolution kernels start with a variance of 2 / fan-out, the other one that He et al. 2015 derive,
as torchvision has it: with 2 / fan-in, training on ImageNet diverges within five steps at the
thesis's learning rate.
"""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "Simonyan and Zisserman 2014, Very Deep Convolutional Networks, table 1, column D"
PUBLISHED = {"3x224x224-1000": 138357544}
PUBLISHED_MULTIPLY_ADDS = {"3x224x224-1000": 15.470e9}

STAGES = ((64, 64), (128, 128), (256, 256, 256), (512, 512, 512), (512, 512, 512))


def define(net: Network) -> Layer:
    """Thirteen 3x3 convolutions in five stages, each pooled, and three dense layers."""
    x = net.input
    for stage, widths in enumerate(STAGES, start=1):
        for number, channels in enumerate(widths, start=1):
            name, gain = f"conv{stage}_{number}", 2 * x.shape[0] / channels
            x = net.conv_relu(name, x, channels, kernel=3, padding=1, gain=gain)
        x = net.max_pool(f"pool{stage}", x, kernel=2, stride=2)
    units = 512 if net.has_small_images else 4096
    for name in ("dense6", "dense7"):
        x = net.relu(name + "/relu", net.dense(name, x, units))
        x = net.dropout(name + "/dropout", x, rate=0.5)
    return net.dense("dense8", x, net.classes)
