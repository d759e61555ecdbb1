"""Networks in Caffe2, as its tutorials write them: brew, build_sgd, FeedBlob and RunNet.

They use Caffe2's own operators for CPUs, of which a pooling's gradient goes to all equal maxima;
our adapter uses those of MKL-DNN.
"""

import numpy
import plain
from caffe2.python import brew, model_helper, optimizer, workspace

IS_TEST = plain.STAGE == "infer"


def lenet(model, x):
    x, size = pool(model, conv(model, x, plain.IMAGE_SHAPE[0], 20, 5), 2), 20
    x, size = pool(model, conv(model, x, size, 50, 5), 2), 50 * 4 * 4
    x = relu(model, brew.fc(model, x, "dense1", size, 500))
    return brew.fc(model, x, "dense2", 500, plain.CLASSES)


def alexnet(model, x):
    x = pool(model, lrn(model, relu(model, conv(model, x, 3, 96, 3, stride=2, pad=1))), 3)
    x = pool(model, lrn(model, relu(model, conv(model, x, 96, 256, 5, pad=2, group=2))), 3)
    x = relu(model, conv(model, x, 256, 384, 3, pad=1))
    x = relu(model, conv(model, x, 384, 384, 3, pad=1, group=2))
    x = pool(model, relu(model, conv(model, x, 384, 256, 3, pad=1, group=2)), 3)
    for name, size in (("dense6", 256), ("dense7", 4096)):
        x = relu(model, brew.fc(model, x, name, size, 4096))
        x = brew.dropout(model, x, name + "_dropout", ratio=0.5, is_test=IS_TEST)
    return brew.fc(model, x, "dense8", 4096, plain.CLASSES)


def resnet50(model, x):
    x, channels = relu(model, conv_norm(model, x, 3, 64, 3, pad=1)), 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            x = bottleneck(model, x, channels, 64 * 2**stage, stride)
            channels = 256 * 2**stage
    x = brew.average_pool(model, x, "average", global_pooling=True)
    return brew.fc(model, x, "dense", channels, plain.CLASSES)


def bottleneck(model, x, channels, width, stride):
    y = relu(model, conv_norm(model, x, channels, width, 1))
    y = relu(model, conv_norm(model, y, width, width, 3, stride=stride, pad=1))
    y = conv_norm(model, y, width, 4 * width, 1)
    if channels != 4 * width:
        x = conv_norm(model, x, channels, 4 * width, 1, stride=stride)
    return relu(model, brew.sum(model, [y, x], y))


def conv(model, x, inputs, outputs, kernel, **settings):
    name = model.net.NextName("conv")
    return brew.conv(model, x, name, inputs, outputs, kernel, **settings)


def conv_norm(model, x, inputs, outputs, kernel, **settings):
    x = conv(model, x, inputs, outputs, kernel, no_bias=True, **settings)
    return brew.spatial_bn(model, x, str(x) + "_norm", outputs, epsilon=1e-5, is_test=IS_TEST)


def relu(model, x):
    return brew.relu(model, x, x)


def pool(model, x, kernel):
    return brew.max_pool(model, x, str(x) + "_pool", kernel=kernel, stride=2)


def lrn(model, x):
    return brew.lrn(model, x, str(x) + "_lrn", size=5, alpha=1e-4, beta=0.75, bias=1.0)


def predict(images, _):
    workspace.FeedBlob("images", images)
    workspace.RunNet(model.net)
    return workspace.FetchBlob(str(logits))


def step(images, labels):
    workspace.FeedBlob("images", images)
    workspace.FeedBlob("labels", labels)
    workspace.RunNet(model.net)


plain.require_processor()
threads = [f"--caffe2_{library}_num_threads={plain.THREADS}" for library in ("omp", "mkl")]
workspace.GlobalInit(["caffe2", "--caffe2_log_level=3", *threads])
images, labels = plain.batch()
labels = labels.astype(numpy.int32)
workspace.FeedBlob("images", images)
workspace.FeedBlob("labels", labels)
model = model_helper.ModelHelper(name=plain.NETWORK, arg_scope={"order": "NCHW"})
logits = globals()[plain.NETWORK](model, "images")
if not IS_TEST:
    _, loss = model.net.SoftmaxWithLoss([logits, "labels"], ["softmax", "loss"])
    model.AddGradientOperators([loss])
    optimizer.build_sgd(model, plain.LEARNING_RATE, momentum=plain.MOMENTUM, policy="fixed")
workspace.RunNetOnce(model.param_init_net)
workspace.CreateNet(model.net)
plain.measure(predict if IS_TEST else step, (images, labels))
