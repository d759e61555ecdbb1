"""The convolutions of benchmarks/groups.py, and how ways to compute one are timed side by side."""

import statistics
import sys
import time

import numpy

BATCH_SIZE = 8
ROUNDS = 15
MOST_SECONDS = 20  # of a convolution's rounds, of which three are made however long they take
THREADS = int(sys.argv[1])

# Channels in and out, pixels a side, kernel, stride, groups.
CONVOLUTIONS = {
    "alexnet conv2": (96, 256, 27, 5, 1, 2),
    "alexnet conv4": (384, 384, 13, 3, 1, 2),
    **{f"{groups} groups": (128, 128, 28, 3, 1, groups) for groups in (2, 4, 8, 16, 32, 64, 128)},
    "resnext stage 1": (128, 128, 56, 3, 1, 32),
    "resnext stage 2": (256, 256, 28, 3, 1, 32),
    "resnext stage 3": (512, 512, 14, 3, 1, 32),
    "resnext stage 4": (1024, 1024, 7, 3, 1, 32),
    "mobilenet block 1": (32, 32, 112, 3, 1, 32),
    "mobilenet block 2": (64, 64, 112, 3, 2, 64),
    "mobilenet block 5": (256, 256, 28, 3, 1, 256),
    "mobilenet block 8": (512, 512, 14, 3, 1, 512),
    "mobilenet block 13": (1024, 1024, 7, 3, 1, 1024),
    "convnext stage 1": (96, 96, 56, 7, 1, 96),
}


def measure(step, ways, depthwise_ways):
    """Print for each convolution each way's median milliseconds and the seconds of its first call.

    `step` makes, of a way, a stride, groups, images (n, H, W, C) and a kernel (height, width, in,
    out), the function that is timed; its results are held against the first way's.
    """
    for name, (channels, out, side, size, stride, groups) in CONVOLUTIONS.items():
        random = numpy.random.RandomState(1)
        x = random.standard_normal((BATCH_SIZE, side, side, channels)).astype(numpy.float32)
        kernel = random.standard_normal((size, size, channels // groups, out)).astype(numpy.float32)
        chosen = dict(ways, **(depthwise_ways if groups == channels == out else {}))
        steps = {key: step(way, stride, groups, x, kernel) for key, way in chosen.items()}
        print(f"{name:20} {groups:4} groups " + line(compared(steps)), flush=True)


def compared(steps):
    """For each function its median milliseconds, in turns, and the seconds of its first call."""
    first, expected = {}, None
    for key, function in steps.items():
        start = time.perf_counter()
        results = function()
        first[key] = time.perf_counter() - start
        expected = expected or results
        for one, other in zip(results, expected):
            numpy.testing.assert_allclose(one, other, atol=1e-3 * abs(other).max())
    times = {key: [] for key in steps}
    begin = time.perf_counter()
    for number in range(ROUNDS):
        if number >= 3 and time.perf_counter() - begin > MOST_SECONDS:
            break
        for key, function in steps.items():
            start = time.perf_counter()
            function()
            times[key].append(time.perf_counter() - start)
    return {key: (1000 * statistics.median(times[key]), first[key]) for key in steps}


def line(times):
    """One line."""
    return "".join(f"{key:>12} {ms:9.1f} ({first:4.1f})" for key, (ms, first) in times.items())
