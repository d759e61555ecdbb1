"""Networks in MXNet, as its Gluon tutorials write models and a training loop."""

import mxnet
import plain
from encoder_mxnet import Encoder
from gpt_mxnet import GPT
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def lenet():
    model = nn.HybridSequential()
    model.add(
        nn.Conv2D(20, 5),
        nn.MaxPool2D(),
        nn.Conv2D(50, 5),
        nn.MaxPool2D(),
        nn.Dense(500, activation="relu"),
        nn.Dense(plain.CLASSES),
    )
    return model


def alexnet():
    model = nn.HybridSequential()
    model.add(
        nn.Conv2D(96, 3, 2, 1, activation="relu"),
        nn.HybridLambda(lrn),
        nn.MaxPool2D(3, 2),
        nn.Conv2D(256, 5, padding=2, groups=2, activation="relu"),
        nn.HybridLambda(lrn),
        nn.MaxPool2D(3, 2),
        nn.Conv2D(384, 3, padding=1, activation="relu"),
        nn.Conv2D(384, 3, padding=1, groups=2, activation="relu"),
        nn.Conv2D(256, 3, padding=1, groups=2, activation="relu"),
        nn.MaxPool2D(3, 2),
        nn.Dense(4096, activation="relu"),
        nn.Dropout(0.5),
        nn.Dense(4096, activation="relu"),
        nn.Dropout(0.5),
        nn.Dense(plain.CLASSES),
    )
    return model


def lrn(ops, x):
    """With the product that its gradient needs on the CPU to be right (MXNet 1.9.1)."""
    y = ops.LRN(x, alpha=1e-4, beta=0.75, knorm=1, nsize=5)
    return y * ops.ones_like(y)


def resnet50():
    model = nn.HybridSequential()
    model.add(*conv_norm(64, 3), nn.Activation("relu"))
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            model.add(bottleneck(64 * 2**stage, stride, projected=not block))
    model.add(nn.GlobalAvgPool2D(), nn.Dense(plain.CLASSES))
    return model


def resnet20():
    model = nn.HybridSequential()
    model.add(*conv_norm(16, 3), nn.Activation("relu"))
    for stage in range(3):
        for block in range(3):
            model.add(basic(16 * 2**stage, 2 if stage and not block else 1))
    model.add(nn.GlobalAvgPool2D(), nn.Dense(plain.CLASSES))
    return model


def basic(width, stride):
    """Two 3x3 convolutions around a shortcut."""
    body = (*conv_norm(width, 3, stride), nn.Activation("relu"), *conv_norm(width, 3))
    return Block(body, conv_norm(width, 1, stride) if stride > 1 else ())


def bottleneck(width, stride, projected):
    """1x1, 3x3 and 1x1 convolutions around a shortcut."""
    body = (
        *(*conv_norm(width, 1), nn.Activation("relu")),
        *(*conv_norm(width, 3, stride), nn.Activation("relu")),
        *conv_norm(4 * width, 1),
    )
    return Block(body, conv_norm(4 * width, 1, stride) if projected else ())


def conv_norm(channels, size, stride=1):
    """A convolution and its batch norm."""
    return nn.Conv2D(channels, size, stride, size // 2, use_bias=False), nn.BatchNorm()


class Block(nn.HybridBlock):
    """ResNet's block."""

    def __init__(self, body, shortcut):
        super().__init__()
        self.body, self.shortcut = nn.HybridSequential(), nn.HybridSequential()
        self.body.add(*body)
        self.shortcut.add(*shortcut)

    def hybrid_forward(self, ops, x):
        """ReLU of the sum."""
        return ops.Activation(self.body(x) + self.shortcut(x), act_type="relu")


def mobilenet_v2():
    return gluon.model_zoo.vision.mobilenet_v2_1_0(classes=plain.CLASSES)


def text_encoder():
    return Encoder(heads=plain.HEADS, classes=plain.CLASSES, **plain.TEXT)


def gpt2_mini():
    return GPT(heads=plain.HEADS, **plain.TEXT)


OF_IMAGES = (lenet, alexnet, resnet50, resnet20, mobilenet_v2)
NETWORKS = {network.__name__: network for network in (*OF_IMAGES, text_encoder, gpt2_mini)}
model = NETWORKS[plain.NETWORK]()
context = mxnet.gpu() if plain.ON_GPU else mxnet.cpu()
model.initialize(mxnet.init.Xavier(), ctx=context)
model.hybridize(static_alloc=True, static_shape=True)
criterion = gluon.loss.SoftmaxCrossEntropyLoss()
criterion.hybridize()
settings = {"learning_rate": plain.LEARNING_RATE, "momentum": plain.MOMENTUM}
trainer = gluon.Trainer(model.collect_params(), "sgd", settings)


def step(images, labels):
    with autograd.record():
        loss = criterion(model(images), labels)
    loss.backward()
    trainer.step(plain.BATCH)


def predict(images, _):
    return model(images)


batch = [nd.array(part, ctx=context) for part in plain.batch()]
plain.measure(step if plain.STAGE == "train" else predict, batch, nd.waitall)
