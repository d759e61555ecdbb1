"""AlexNet in two groups, with local response normalisation, as BVLC Caffe has it.

Images up to 64 pixels get a first convolution of 3x3 and stride 2 instead of 11x11 and stride 4;
all other layers are the same.
"""

from worker.networks.neutral.builder import Layer, Network

SOURCE = (
    "Krizhevsky et al. 2012, in the form of BVLC Caffe's models/bvlc_alexnet/train_val.prototxt"
)
PUBLISHED = {"3x227x227-1000": 60965224}


def define(net: Network) -> Layer:
    """Five convolutions, three of them pooled, and three dense layers."""
    is_small = net.has_small_images
    first = dict(kernel=3, stride=2, padding=1) if is_small else dict(kernel=11, stride=4)
    x = net.conv_relu("conv1", net.input, 96, **first)
    x = net.max_pool("pool1", net.lrn("norm1", x), kernel=3, stride=2)
    x = net.conv_relu("conv2", x, 256, kernel=5, padding=2, groups=2)
    x = net.max_pool("pool2", net.lrn("norm2", x), kernel=3, stride=2)
    x = net.conv_relu("conv3", x, 384, kernel=3, padding=1)
    x = net.conv_relu("conv4", x, 384, kernel=3, padding=1, groups=2)
    x = net.conv_relu("conv5", x, 256, kernel=3, padding=1, groups=2)
    x = net.max_pool("pool5", x, kernel=3, stride=2)
    for name in ("dense6", "dense7"):
        x = net.relu(name + "/relu", net.dense(name, x, 4096))
        x = net.dropout(name + "/dropout", x, rate=0.5)
    return net.dense("dense8", x, net.classes)
