"""A grouped convolution in TensorFlow, forward and backward, in the ways that there are."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import groups_measured
import tensorflow as tf

JIT_COMPILE = "jit_compile" in sys.argv

tf.config.threading.set_intra_op_parallelism_threads(groups_measured.THREADS)
tf.config.threading.set_inter_op_parallelism_threads(groups_measured.THREADS)


def grouped(x, kernel, stride, groups):
    x, padding = padded(x, kernel, stride)
    return tf.nn.conv2d(x, kernel, stride, padding)


def split(x, kernel, stride, groups):
    parts = zip(tf.split(x, groups, -1), tf.split(kernel, groups, -1))
    return tf.concat([grouped(*part, stride, 1) for part in parts], -1)


def depthwise(x, kernel, stride, groups):
    x, padding = padded(x, kernel, stride)
    kernel = tf.reshape(kernel, (*kernel.shape[:2], groups, -1))
    return tf.nn.depthwise_conv2d(x, kernel, (1, stride, stride, 1), padding)


def padded(x, kernel, stride):
    margin = (kernel.shape[0] // 2,) * 2
    if stride == 1:
        return x, "SAME"
    return tf.pad(x, [(0, 0), margin, margin, (0, 0)]), "VALID"


def step(way, stride, groups, x, kernel):
    """A function that gives the gradients by image and kernel of the sum of squares."""
    x, kernel = tf.constant(x), tf.constant(kernel)

    @tf.function(jit_compile=JIT_COMPILE)
    def gradients(x, kernel):
        with tf.GradientTape() as tape:
            tape.watch((x, kernel))
            loss = tf.reduce_sum(way(x, kernel, stride, groups) ** 2)
        return tape.gradient(loss, (x, kernel))

    return lambda: [each.numpy() for each in gradients(x, kernel)]


if __name__ == "__main__":
    groups_measured.measure(step, {"split": split, "operator": grouped}, {"depthwise": depthwise})
