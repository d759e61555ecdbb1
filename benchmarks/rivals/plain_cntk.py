"""Networks in CNTK, as its image examples write models and a training loop."""

import cntk
import numpy
import plain
from cntk.layers import (
    AveragePooling,
    BatchNormalization,
    Convolution2D,
    Dense,
    Dropout,
    MaxPooling,
    Sequential,
    default_options,
)


def lenet(images):
    with default_options(activation=None, pad=False):
        model = Sequential(
            [
                Convolution2D((5, 5), 20),
                MaxPooling((2, 2), strides=2),
                Convolution2D((5, 5), 50),
                MaxPooling((2, 2), strides=2),
                Dense(500, activation=cntk.relu),
                Dense(plain.CLASSES),
            ]
        )
    return model(images)


def alexnet(images):
    pool = MaxPooling((3, 3), strides=2)
    with default_options(activation=cntk.relu, pad=True):
        x = Convolution2D((3, 3), 96, strides=2)(images)
        x = grouped(pool(lrn(x)), 5, 256)
        x = Convolution2D((3, 3), 384)(pool(lrn(x)))
        x = grouped(grouped(x, 3, 384), 3, 256)
        x = Dropout(0.5)(Dense(4096)(pool(x)))
        x = Dropout(0.5)(Dense(4096)(x))
        return Dense(plain.CLASSES, activation=None)(x)


def lrn(x):
    return cntk.local_response_normalization(x, 2, 1.0, 1e-4, 0.75)


def grouped(x, kernel, channels):
    """Two groups, which Convolution2D refuses: it sends one to this operation."""
    shape = (channels, x.shape[0] // 2, kernel, kernel)
    weight = cntk.parameter(shape, init=cntk.glorot_uniform())
    bias = cntk.parameter((channels, 1, 1))
    padding = [False, True, True]
    return cntk.relu(cntk.convolution(weight, x, auto_padding=padding, groups=2) + bias)


def resnet50(images):
    x = cntk.relu(conv_norm(images, 3, 64, 1))
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            x = bottleneck(x, 64 * 2**stage, stride, projected=not block)
    x = AveragePooling(x.shape[1:])(x)
    return Dense(plain.CLASSES)(x)


def bottleneck(x, width, stride, projected):
    y = cntk.relu(conv_norm(x, 1, width, 1))
    y = cntk.relu(conv_norm(y, 3, width, stride))
    y = conv_norm(y, 1, 4 * width, 1)
    return cntk.relu(y + (conv_norm(x, 1, 4 * width, stride) if projected else x))


def conv_norm(x, kernel, channels, stride):
    x = Convolution2D((kernel, kernel), channels, strides=stride, pad=True, bias=False)(x)
    return BatchNormalization(map_rank=1, normalization_time_constant=4096)(x)


plain.require_processor()
cntk.cntk_py.set_max_num_cputhreads(plain.THREADS)
images = cntk.input_variable(plain.IMAGE_SHAPE)
labels = cntk.input_variable(plain.CLASSES)
model = {"lenet": lenet, "alexnet": alexnet, "resnet50": resnet50}[plain.NETWORK](images)
loss = cntk.cross_entropy_with_softmax(model, labels)
rate = cntk.learning_parameter_schedule(plain.LEARNING_RATE, minibatch_size=plain.BATCH)
momentum = cntk.momentum_schedule(plain.MOMENTUM, minibatch_size=plain.BATCH)
learner = cntk.momentum_sgd(model.parameters, rate, momentum, unit_gain=False)
trainer = cntk.Trainer(model, loss, [learner])


def step(image_batch, label_batch):
    trainer.train_minibatch({images: image_batch, labels: label_batch})


def predict(image_batch, _):
    return model.eval({images: image_batch})


def one_hot(numbers):
    return numpy.eye(plain.CLASSES, dtype=numpy.float32)[numbers]


pixels, numbers = plain.batch()
plain.measure(step if plain.STAGE == "train" else predict, (pixels, one_hot(numbers)))
