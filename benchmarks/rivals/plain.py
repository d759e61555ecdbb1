"""What the plain loops share: their command line, a random batch, and the clock.

Plain loops stand for what a user writes from a framework's own documentation, with nothing of
trainmark in them: the same layers, batch size and threads, the framework's own ways for the rest.

usage of each: python plain_<framework>.py THREADS NETWORK DEVICE STAGE (train, infer or generate)
"""

import json
import os
import sys
import time
from pathlib import Path

import numpy
from tasks import CLASSES, GENERATED, OF_TEXTS, TASKS, VOCABULARY
from tasks import LEARNING_RATE as LEARNING_RATE
from tasks import MOMENTUM as MOMENTUM

THREADS, (NETWORK, DEVICE, STAGE) = int(sys.argv[1]), sys.argv[2:5]
ON_GPU = DEVICE == "cuda:1"
IMAGE_SHAPE, BATCH, WARMUP_STEPS, STEPS = TASKS[NETWORK]
TEXT = {"vocabulary": VOCABULARY, "tokens": IMAGE_SHAPE[2], "features": 256, "blocks": 4}
HEADS = 4
PROMPT = IMAGE_SHAPE[2] - GENERATED


# What users of an old MKL set on CPUs with AVX2 that are not Intel's; others don't read it.
CPU = Path("/proc/cpuinfo").read_text(encoding="utf-8")
if "GenuineIntel" not in CPU and "avx2" in CPU.split():
    os.environ["MKL_DEBUG_CPU_TYPE"] = "5"


def require_processor():
    """End where a loop that is written for the processor is asked to train elsewhere."""
    if DEVICE != "cpu":
        print(f"this plain loop is written for cpu, not for {DEVICE}")
        sys.exit(1)


def batch():
    """One batch, as the other side trains on: float32 (BATCH, *IMAGE_SHAPE), int64 labels.

    Of texts, tokens instead of images, int64 (BATCH, tokens); of a language model, instead of
    labels the tokens that follow them.
    """
    random = numpy.random.RandomState(0)
    if NETWORK in OF_TEXTS:
        texts = random.randint(VOCABULARY, size=(BATCH, IMAGE_SHAPE[2] + 1))
        classes = random.randint(CLASSES, size=BATCH)
        return texts[:, :-1], texts[:, 1:] if NETWORK == "gpt2_mini" else classes
    images = random.standard_normal((BATCH, *IMAGE_SHAPE)).astype(numpy.float32)
    return images, random.randint(0, CLASSES, BATCH)


def measure(step, inputs, synchronise=lambda: None):
    """Train on one batch, or predict it, over and over: print images/s, or generated tokens/s."""
    for _ in range(WARMUP_STEPS):
        step(*inputs)
    synchronise()
    start = time.monotonic()
    for _ in range(STEPS):
        step(*inputs)
    synchronise()
    seconds = time.monotonic() - start
    each = GENERATED if STAGE == "generate" else 1
    print(json.dumps({"speed": each * BATCH * STEPS / seconds}))
