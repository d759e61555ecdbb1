"""Networks in Caffe, as the notebook `01-learning-lenet` of BVLC's examples writes and trains them.

It steps an SGDSolver from Python. `caffe time`, the other documented measurement, times passes
without any update. The batch lies in memory as it does for all plain loops, so instead of the
notebook's database an Input layer is filled, as the notebook `00-classification` does it.
"""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("GLOG_minloglevel", "2")

import caffe
import plain
from caffe import layers, params

SOLVER = """
    train_net: "{net}"
    base_lr: {rate}
    lr_policy: "fixed"
    momentum: {momentum}
    solver_mode: CPU
"""


def lenet(x):
    x = pool(conv(x, 20, 5), 2)
    x = pool(conv(x, 50, 5), 2)
    return dense(relu(dense(x, 500)), plain.CLASSES)


def alexnet(x):
    x = pool(lrn(relu(conv(x, 96, 3, stride=2, pad=1))), 3)
    x = pool(lrn(relu(conv(x, 256, 5, pad=2, group=2))), 3)
    x = relu(conv(x, 384, 3, pad=1))
    x = relu(conv(x, 384, 3, pad=1, group=2))
    x = pool(relu(conv(x, 256, 3, pad=1, group=2)), 3)
    for _ in range(2):
        x = layers.Dropout(relu(dense(x, 4096)), dropout_ratio=0.5, in_place=True)
    return dense(x, plain.CLASSES)


def resnet50(x):
    x = relu(conv_norm(x, 64, 3, pad=1))
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            x = bottleneck(x, 64 * 2**stage, stride, projected=not block)
    x = layers.Pooling(x, pool=params.Pooling.AVE, global_pooling=True)
    return dense(x, plain.CLASSES)


def bottleneck(x, width, stride, projected):
    y = relu(conv_norm(x, width, 1))
    y = relu(conv_norm(y, width, 3, stride=stride, pad=1))
    y = conv_norm(y, 4 * width, 1)
    if projected:
        x = conv_norm(x, 4 * width, 1, stride=stride)
    return relu(layers.Eltwise(x, y))


def conv_norm(x, channels, size, **settings):
    y = layers.BatchNorm(conv(x, channels, size, bias_term=False, **settings), in_place=True)
    return layers.Scale(y, bias_term=True, in_place=True)


def conv(x, channels, size, **settings):
    filler = {"type": "xavier"}
    return layers.Convolution(
        x, num_output=channels, kernel_size=size, weight_filler=filler, **settings
    )


def dense(x, units):
    return layers.InnerProduct(x, num_output=units, weight_filler={"type": "xavier"})


def relu(x):
    return layers.ReLU(x, in_place=True)


def lrn(x):
    return layers.LRN(x, local_size=5, alpha=1e-4, beta=0.75)


def pool(x, size):
    floor = params.Pooling.FLOOR
    return layers.Pooling(x, pool=params.Pooling.MAX, kernel_size=size, stride=2, round_mode=floor)


NETWORKS = {"lenet": lenet, "alexnet": alexnet, "resnet50": resnet50}


def train_net():
    net = caffe.NetSpec()
    net.data = layers.Input(shape={"dim": [plain.BATCH, *plain.IMAGE_SHAPE]})
    net.label = layers.Input(shape={"dim": [plain.BATCH]})
    logits = NETWORKS[plain.NETWORK](net.data)
    net.loss = layers.SoftmaxWithLoss(logits, net.label)
    return net.to_proto()


def test_net():
    net = caffe.NetSpec()
    net.data = layers.Input(shape={"dim": [plain.BATCH, *plain.IMAGE_SHAPE]})
    net.logits = NETWORKS[plain.NETWORK](net.data)
    return net.to_proto()


def predict(images, _):
    tested.blobs["data"].data[...] = images
    return tested.forward()


def step(images, labels):
    solver.net.blobs["data"].data[...] = images
    solver.net.blobs["label"].data[...] = labels
    solver.step(1)


plain.require_processor()
with tempfile.TemporaryDirectory() as folder:
    net, solver_path = Path(folder, "net.prototxt"), Path(folder, "solver.prototxt")
    net.write_text(str(train_net()))
    solver_path.write_text(
        SOLVER.format(net=net, rate=plain.LEARNING_RATE, momentum=plain.MOMENTUM)
    )
    solver = caffe.SGDSolver(str(solver_path))
    net.write_text(str(test_net()))
    tested = caffe.Net(str(net), caffe.TEST)
plain.measure(step if plain.STAGE == "train" else predict, plain.batch())
