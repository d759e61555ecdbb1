"""LeNet in MXNet, as its Gluon tutorials write a training loop."""

import mxnet
import plain
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

model = nn.HybridSequential()
model.add(
    nn.Conv2D(20, 5),
    nn.MaxPool2D(),
    nn.Conv2D(50, 5),
    nn.MaxPool2D(),
    nn.Dense(500, activation="relu"),
    nn.Dense(10),
)
model.initialize(mxnet.init.Xavier())
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


plain.measure(step, [tuple(map(nd.array, batch)) for batch in plain.batches()], nd.waitall)
