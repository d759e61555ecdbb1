"""TensorFlow's interface of 1.x, by the name that a release has it under."""

import os

# TensorFlow reads this variable when it is imported.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow

VERSION = tensorflow.__version__
RELEASE = tuple(int(number) for number in VERSION.split(".")[:2])
tf = tensorflow if RELEASE < (1, 14) else tensorflow.compat.v1
