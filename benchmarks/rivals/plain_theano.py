"""Networks in Theano, as the Deep Learning Tutorials and Lasagne's layers write them."""

import ctypes
import os
import sys

os.environ["THEANO_FLAGS"] = "floatX=float32,openmp=True,blas.ldflags=-lopenblas"
os.environ["THEANO_FLAGS"] += f",base_compiledir={sys.prefix}/theano-cache"
os.environ["LIBRARY_PATH"] = f"{sys.prefix}/lib"
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
os.environ["OPENBLAS_THREAD_TIMEOUT"] = "4"

import numpy
import plain
import theano
from theano import tensor
from theano.sandbox.rng_mrg import MRG_RandomStreams
from theano.tensor.nnet import conv2d, relu
from theano.tensor.nnet.bn import batch_normalization_test, batch_normalization_train
from theano.tensor.signal.pool import pool_2d

ctypes.CDLL(f"{sys.prefix}/lib/libopenblas.so")
random = numpy.random.RandomState(1)
streams = MRG_RandomStreams(1)
parameters, running = [], []


def parameter(values):
    """A trained shared variable."""
    parameters.append(theano.shared(numpy.asarray(values, theano.config.floatX), borrow=True))
    return parameters[-1]


def conv(x, shape, bias=True, **settings):
    """A convolution with kernels of a shape (outputs, inputs of a group, rows, columns)."""
    kernels = random.standard_normal(shape) * (2 / numpy.prod(shape[1:])) ** 0.5
    y = conv2d(x, parameter(kernels), filter_shape=shape, filter_flip=False, **settings)
    return y + parameter(numpy.zeros(shape[0])).dimshuffle("x", 0, "x", "x") if bias else y


def dense(x, inputs, outputs):
    """A hidden layer before its activation."""
    weights = parameter(random.standard_normal((inputs, outputs)) * (2 / inputs) ** 0.5)
    return tensor.dot(x, weights) + parameter(numpy.zeros(outputs))


def conv_norm(x, shape, **settings):
    """A convolution and its batch normalisation."""
    channels, y = shape[0], conv(x, shape, bias=False, **settings)
    scale, shift = parameter(numpy.ones(channels)), parameter(numpy.zeros(channels))
    moments = [theano.shared(scale.get_value() * initial) for initial in (numpy.float32(0), 1)]
    if plain.STAGE == "infer":
        return batch_normalization_test(y, scale, shift, *moments, axes="spatial")
    y, _, _, *moved = batch_normalization_train(
        y, scale, shift, "spatial", running_mean=moments[0], running_var=moments[1]
    )
    running.extend(zip(moments, moved))
    return y


def lrn(x, channels):
    """Lasagne's LocalResponseNormalization2DLayer."""
    images, _, rows, columns = x.shape
    squares = tensor.alloc(numpy.float32(0), images, channels + 4, rows, columns)
    squares = tensor.set_subtensor(squares[:, 2 : 2 + channels], tensor.sqr(x))
    scale = 1 + 2e-5 * sum(squares[:, i : i + channels] for i in range(5))
    return x / scale**0.75


def dropout(x):
    """Half of the values, twice as large."""
    if plain.STAGE == "infer":
        return x
    return x * streams.binomial(x.shape, p=0.5, dtype=x.dtype) / 0.5


def lenet(x):
    """Caffe's LeNet."""
    x = pool_2d(conv(x, (20, 1, 5, 5)), (2, 2), ignore_border=True)
    x = pool_2d(conv(x, (50, 20, 5, 5)), (2, 2), ignore_border=True)
    return dense(relu(dense(x.flatten(2), 800, 500)), 500, plain.CLASSES)


def alexnet(x):
    """Caffe's AlexNet for images of 32x32."""
    x = lrn(relu(conv(x, (96, 3, 3, 3), border_mode=1, subsample=(2, 2))), 96)
    x = pool_2d(x, (3, 3), ignore_border=True, stride=(2, 2))
    x = lrn(relu(conv(x, (256, 48, 5, 5), border_mode=2, num_groups=2)), 256)
    x = pool_2d(x, (3, 3), ignore_border=True, stride=(2, 2))
    x = relu(conv(x, (384, 256, 3, 3), border_mode=1))
    x = relu(conv(x, (384, 192, 3, 3), border_mode=1, num_groups=2))
    x = relu(conv(x, (256, 192, 3, 3), border_mode=1, num_groups=2))
    x = pool_2d(x, (3, 3), ignore_border=True, stride=(2, 2)).flatten(2)
    x = dropout(relu(dense(x, 256, 4096)))
    return dense(dropout(relu(dense(x, 4096, 4096))), 4096, plain.CLASSES)


def bottleneck(x, inputs, width, strides):
    """ResNet's block of 1x1, 3x3 and 1x1 convolutions."""
    y = relu(conv_norm(x, (width, inputs, 1, 1)))
    y = relu(conv_norm(y, (width, width, 3, 3), border_mode=1, subsample=strides))
    y = conv_norm(y, (4 * width, width, 1, 1))
    if inputs != 4 * width or strides != (1, 1):
        x = conv_norm(x, (4 * width, inputs, 1, 1), subsample=strides)
    return relu(x + y)


def resnet50(x):
    """ResNet-50 with the stem for images of 32x32."""
    x, inputs = relu(conv_norm(x, (64, 3, 3, 3), border_mode=1)), 64
    for width, blocks in zip((64, 128, 256, 512), (3, 4, 6, 3)):
        for block in range(blocks):
            x = bottleneck(x, inputs, width, (2, 2) if width > 64 and block == 0 else (1, 1))
            inputs = 4 * width
    return dense(x.mean((2, 3)), inputs, plain.CLASSES)


plain.require_processor()
images, labels = tensor.tensor4(), tensor.lvector()
network = {"lenet": lenet, "alexnet": alexnet, "resnet50": resnet50}[plain.NETWORK]
logits = network(images)
if plain.STAGE == "infer":
    predict = theano.function([images], logits)
    plain.measure(lambda pixels, _: predict(pixels), plain.batch())
    sys.exit()
loss = tensor.nnet.categorical_crossentropy(tensor.nnet.softmax(logits), labels).mean()
updates = list(running)
for value, gradient in zip(parameters, tensor.grad(loss, parameters)):
    velocity = theano.shared(numpy.zeros_like(value.get_value()))
    moved = numpy.float32(plain.MOMENTUM) * velocity + gradient
    updates += [(velocity, moved), (value, value - numpy.float32(plain.LEARNING_RATE) * moved)]
plain.measure(theano.function([images, labels], loss, updates=updates), plain.batch())
