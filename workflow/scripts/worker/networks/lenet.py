"""LeNet as BVLC Caffe ships it for MNIST: two convolutions without ReLU, two dense layers."""

from worker.networks.neutral.builder import Layer, Network

SOURCE = "LeCun et al. 1998, in the form of BVLC Caffe's examples/mnist/lenet_train_test.prototxt"
PUBLISHED = {"1x28x28-10": 431080}


def define(net: Network) -> Layer:
    """Conv 20, pool, conv 50, pool, dense 500, ReLU, dense; the same for any image size.

    Kernels start with the variance of Caffe's xavier filler: hardly any of them meets a ReLU.
    """
    x = net.conv("conv1", net.input, 20, kernel=5, gain=1)
    x = net.max_pool("pool1", x, kernel=2, stride=2)
    x = net.conv("conv2", x, 50, kernel=5, gain=1)
    x = net.max_pool("pool2", x, kernel=2, stride=2)
    x = net.dense("dense1", x, 500, gain=1)
    x = net.relu("relu1", x)
    return net.dense("dense2", x, net.classes, gain=1)
