"""How fast PyTorch's image files are read by torchvision and by Pillow, side by side.

usage: python benchmarks/decoders.py [--rounds 15] [--threads 2] [--tar TAR]

Both do the same work in as many threads: decode, crop at random, mirror every other time; `resized`
also makes the shorter side 256 before, `stored` has files of 224x224, which are cropped as they
are. Nothing is trained. The JPEG files are those of the tar file (folders `imagenet-sample-images`
of any size, `imagenette-224`), or made. Both read in turns within one process, for a second or
more; given are medians, and the ratio of the two speeds of a round: its geometric mean with the
95 % interval. Where others use the machine, trust the images per second of CPU time.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from interpreters import Interpreter, framework_interpreter
from places import RIVALS, SCRIPTS
from rivals.image_folder import made, unpacked

from trainmark.analyse.compare.statistics import summarise
from trainmark.runs.launch import worker_environment

SIDES = {"resized": 0, "stored": 224}
PARTS = {"resized": "imagenet-sample-images/", "stored": "imagenette-224/"}


def main() -> None:
    """Measure both ways to store image files and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--tar", type=Path, default=Path("absent"))
    arguments = parser.parse_args()
    interpreter = framework_interpreter("pytorch")
    if interpreter is None:
        sys.exit("needs the environment pytorch: make setup, then snakemake environments")
    print(f"{'images per':19} {'Pillow':>8} {'torchvision':>12} {'ratio':>6} {'95 %':>14}")
    for name, side in SIDES.items():
        has_tar = arguments.tar.is_file()
        contents = unpacked(arguments.tar, PARTS[name]) if has_tar else made(side or None)
        settings = (arguments.threads, arguments.rounds)
        rounds = measured(interpreter, contents, side, *settings)
        for clock, unit in enumerate(("second", "CPU second")):
            pairs = [(pillow[clock], torchvision[clock]) for pillow, torchvision in rounds]
            print(f"{f'{unit}, {name}':19} {describe(pairs)}", flush=True)


def measured(
    interpreter: Interpreter, contents: list[bytes], side: int, threads: int, rounds: int
) -> list[list[list[float]]]:
    """Of each round, by Pillow and by torchvision: images per second and per CPU second."""
    with tempfile.TemporaryDirectory() as folder:
        for number, content in enumerate(contents):
            Path(folder, f"{number:06d}.jpg").write_bytes(content)
        numbers = (str(number) for number in (side, threads, rounds))
        printed = subprocess.run(
            [interpreter.python, "-I", RIVALS / "decoders.py", SCRIPTS, folder, *numbers],
            env=worker_environment(Path(interpreter.python), threads, (), interpreter.variables),
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
    speeds: list[list[list[float]]] = json.loads(printed)
    return speeds


def describe(pairs: Sequence[tuple[float, float]]) -> str:
    """Medians and the ratio as part of a line."""
    summary = summarise([math.log(torchvision / pillow) for pillow, torchvision in pairs])
    assert summary.half_width is not None
    low, high = (math.exp(summary.mean + sign * summary.half_width) for sign in (-1, 1))
    medians = [statistics.median(side) for side in zip(*pairs, strict=True)]
    numbers = "{:8,.0f} {:12,.0f}".format(*medians)
    return f"{numbers} {math.exp(summary.mean):6.2f} {f'{low:.2f} to {high:.2f}':>14}"


if __name__ == "__main__":
    main()
