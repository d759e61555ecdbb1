"""How fast image files are converted, beside the frameworks' own programs and bare loops.

usage: python benchmarks/images.py {lmdb,recordio,resize} [--images 20000] [--rounds 3]
                                   [--tar TAR] [--folder SCRATCH]

lmdb      a folder of JPEG files into an LMDB: our conversion, Caffe's `convert_imageset --encoded`,
          and a bare loop that puts what it reads into an LMDB
recordio  the same into RecordIO: our conversion, MXNet's im2rec.py with --pass-through
resize    JPEG files made smaller, to a shorter side of 256: our conversion into RecordIO, and a
          bare loop of Pillow on all cores that stores nothing

Ours is the whole conversion: listing, reading the headers, writing, syncing and taking the digest.
The others are given a list. Caffe's program syncs each 1,000 images. Programs are those of the
built environments; what is absent is skipped. The JPEG files are those of the tar file (folders
`imagenette-224` of 224x224, `imagenet-sample-images` of any size), repeated, or made.

Writing is timed without starting and importing on all sides.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from formats import Timing, run
from interpreters import caffe_tool, framework_interpreter
from places import RIVALS

DATASET = "folder-bench-3x224x224-10"


class Side(NamedTuple):
    """One of those compared: its command, and the environment variables that it needs."""

    command: tuple[str | Path, ...]
    variables: dict[str, str]


def main() -> None:
    """Make the folder, measure in turns, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("comparison", choices=COMPARISONS)
    parser.add_argument("--images", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tar", type=Path, default=Path("absent"))
    parser.add_argument("--folder", type=Path, help="where to write (a folder on a real disk)")
    arguments = parser.parse_args()
    part, side, sides_of = COMPARISONS[arguments.comparison]
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        folder = Path(scratch)
        make = RIVALS / "image_folder.py"
        source = (folder, arguments.images, part, side, arguments.tar)
        run([str(word) for word in (sys.executable, make, *source)])
        sides = {name: side for name, side in sides_of(folder).items() if side}
        print(describe(compare(sides, folder, arguments.rounds), arguments.images))


def into_lmdb(folder: Path) -> dict[str, Side | None]:
    """Into an LMDB."""
    return {
        "ours": conversion(folder, DATASET, "lmdb"),
        "convert_imageset": convert_imageset(folder),
        "bare loop": bare_loop("bare_lmdb.py", folder, folder / "out" / "lmdb"),
    }


def into_recordio(folder: Path) -> dict[str, Side | None]:
    """Into RecordIO."""
    return {"ours": conversion(folder, DATASET, "recordio"), "im2rec.py": im2rec(folder)}


def resized(folder: Path) -> dict[str, Side | None]:
    """Made smaller on the way."""
    return {
        "ours": conversion(folder, f"{DATASET}-short256", "recordio"),
        "bare loop": bare_loop("bare_resize.py", folder),
    }


COMPARISONS = {
    "lmdb": ("imagenette-224/", 224, into_lmdb),
    "recordio": ("imagenette-224/", 224, into_recordio),
    "resize": ("imagenet-sample-images/", 0, resized),
}


def conversion(folder: Path, dataset: str, format_name: str) -> Side:
    """Ours, of a source that is linked to as the download does."""
    source = folder / dataset / "source"
    source.parent.mkdir()
    source.symlink_to(folder / "source")
    script = (sys.executable, RIVALS / "convert.py")
    return Side((*script, dataset, source, format_name, folder / "out" / "converted"), {})


def bare_loop(script: str, folder: Path, *more: Path) -> Side:
    """A loop over the training images that does one thing alone."""
    inputs = (folder / "source" / "train", folder / "caffe.txt")
    return Side((sys.executable, RIVALS / script, *inputs, *more), {})


def convert_imageset(folder: Path) -> Side | None:
    """Caffe's own program."""
    program = caffe_tool("convert_imageset")
    if program is None:
        return None
    files = (f"{folder}/source/train/", folder / "caffe.txt", folder / "out" / "lmdb")
    return Side((program.python, "--encoded", *files), program.variables)


def im2rec(folder: Path) -> Side | None:
    """MXNet's own script, which finds the list where it is to write."""
    interpreter = framework_interpreter("mxnet")
    if interpreter is None:
        return None
    script = (interpreter.python, RIVALS / "im2rec.py")
    return Side(
        (*script, folder / "out" / "mxnet", folder / "source" / "train"), interpreter.variables
    )


def compare(sides: dict[str, Side], folder: Path, rounds: int) -> dict[str, list[Timing]]:
    """Run all in turns, each with a folder that holds nothing but the list."""
    timings: dict[str, list[Timing]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            shutil.rmtree(folder / "out", ignore_errors=True)
            (folder / "out").mkdir()
            shutil.copy(folder / "mxnet.lst", folder / "out")
            os.sync()  # or the kernel would still write what the one before left
            timings[name].append(run([str(word) for word in side.command], side.variables))
    return timings


def describe(timings: dict[str, list[Timing]], images: int) -> str:
    """Median and extremes of each side's speed, and how many times as fast ours is."""
    lines = [f"{images} images, {os.cpu_count()} cores"]
    speeds = {
        name: sorted(images / timing.writing_seconds for timing in runs)
        for name, runs in timings.items()
    }
    for name, side_speeds in speeds.items():
        slowest, middle, fastest = side_speeds[0], statistics.median(side_speeds), side_speeds[-1]
        ratio = statistics.median(speeds["ours"]) / middle
        peak = max(timing.memory_bytes for timing in timings[name]) / 1e6
        lines.append(
            f"{name:16} {middle:6.0f} images/s ({slowest:.0f} to {fastest:.0f}), "
            f"peak memory {peak:.0f} MB; ours is {ratio:.2f} times as fast"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
