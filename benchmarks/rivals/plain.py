"""What the plain loops share: LeNet's settings, random batches, and the clock.

Plain loops stand for what a user writes from a framework's own documentation, with nothing of
trainmark in them.
"""

import json
import sys
import time

import numpy

BATCH, WARMUP_STEPS, STEPS = 64, 40, 400
LEARNING_RATE, MOMENTUM = 0.001, 0.9
THREADS = int(sys.argv[1])


def batches():
    """Ten batches of float32 (64, 1, 28, 28) images and int64 labels, to go round in."""
    random = numpy.random.RandomState(0)
    for _ in range(10):
        yield (
            random.standard_normal((BATCH, 1, 28, 28)).astype(numpy.float32),
            random.randint(0, 10, BATCH),
        )


def measure(step, given, synchronise=lambda: None):
    """Train on the given batches in turn and print images/s."""
    for number in range(WARMUP_STEPS):
        step(*given[number % len(given)])
    synchronise()
    start = time.monotonic()
    for number in range(STEPS):
        step(*given[number % len(given)])
    synchronise()
    print(json.dumps({"speed": BATCH * STEPS / (time.monotonic() - start)}))
