"""Image files read again and again by Pillow and by torchvision; the speeds of every round.

usage: python -I decoders.py SCRIPTS FOLDER SIDE THREADS ROUNDS

SIDE is the shorter side that the files have, 0 where they are to be resized.
"""

import json
import sys
import time
from pathlib import Path

import numpy

scripts, folder, *numbers = sys.argv[1:]
sys.path.append(scripts)
from worker.frameworks.pytorch import reader as pytorch  # noqa: E402
from worker.input.readers import images  # noqa: E402

SHAPE, BATCH, SECONDS = [3, 224, 224], 25, 1

side, threads, rounds = map(int, numbers)
contents = [path.read_bytes() for path in sorted(Path(folder).iterdir())]
index = {"image_shape": SHAPE, "short_side": side or None}


def files(index, split, batch_size):
    for start in range(0, len(contents), batch_size):
        part = contents[start : start + batch_size]
        yield part, numpy.zeros(len(part), numpy.int64)


def speeds(decode):
    """Images per second and per second of CPU time."""
    reader = images.Reader(files, {"threads": threads, "seed": 1}, False, decode)
    clocks = (time.monotonic, time.process_time)
    count, starts = 0, [clock() for clock in clocks]
    while time.monotonic() < starts[0] + SECONDS:
        count += sum(len(labels) for _, labels in reader.batches(index, "train", BATCH))
    return [count / (clock() - start) for clock, start in zip(clocks, starts)]


decoders = (images.read, pytorch.with_torchvision)
for decode in decoders:  # import what they need, start threads
    speeds(decode)
print(json.dumps([[speeds(decode) for decode in decoders] for _ in range(rounds)]))
