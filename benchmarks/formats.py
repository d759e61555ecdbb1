"""How fast our format writers are beside the frameworks' own, measured in turns in one run.

usage: python benchmarks/formats.py [--rounds 5] [--folder SCRATCH]

Caffe's convert_mnist_data and convert_cifar_data, MXNet and TensorFlow are those of the built
environments, Caffe's else those on PATH; what is absent is skipped. The images are random: nothing
here compresses, so that what they show makes no difference.

Writing is timed without starting and importing on both sides; whole programs are given as well.
For RecordIO our writing includes making the PNGs, which MXNet's loop is given ready-made.

On syncing to the disk: Caffe's tool syncs each transaction, of 1,000 images (MNIST) or of all
(CIFAR-10). Our LMDB writer syncs once, at its end. RecordIO and TFRecord are not synced by
either side (a conversion does that after writing).
"""

import argparse
import filecmp
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from subprocess import PIPE
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple

from interpreters import Interpreter, caffe_tool, framework_interpreter
from places import RIVALS, SCRIPTS


class Row(NamedTuple):
    """One comparison; the rival's program is None where it is absent."""

    title: str
    format_name: str
    source: str
    program: Interpreter | None
    arguments: tuple[str | Path, ...]


class Timing(NamedTuple):
    """One run of a writer in a process of its own."""

    program_seconds: float
    writing_seconds: float
    memory_bytes: int


def main() -> None:
    """Make the sources, measure row by row, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where to write (a folder on a real disk)")
    arguments = parser.parse_args()
    print(__doc__[__doc__.index("On syncing") :])
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        folder = Path(scratch)
        run([sys.executable, str(RIVALS / "sources.py"), str(folder)])
        for row in rows(folder):
            print(f"{row.title}:", compare(row, folder, arguments.rounds))
        print("RecordIO files are identical:", identical(folder, ".rec", ".idx"))


def rows(folder: Path) -> list[Row]:
    """Caffe's tools read the same files as ours, the frameworks' loops are given the images."""
    theirs = folder / "theirs"
    idx = (folder / "images", folder / "labels", theirs / "lmdb", "--backend=lmdb")
    binary = (f"{folder}/", theirs, "lmdb")
    encoded, raw = (
        (RIVALS / f"{name}.py", folder / array, folder / "labels.npy", theirs / "out")
        for name, array in (("recordio", "png.npy"), ("tfrecord", "raw.npy"))
    )
    return [
        Row("LMDB, MNIST", "lmdb", "mnist", caffe_tool("convert_mnist_data"), idx),
        Row("LMDB, CIFAR-10", "lmdb", "cifar10", caffe_tool("convert_cifar_data"), binary),
        Row("TFRecord, MNIST", "tfrecord", "mnist", framework_interpreter("tensorflow"), raw),
        Row("RecordIO, MNIST", "recordio", "mnist", framework_interpreter("mxnet"), encoded),
    ]


def compare(row: Row, folder: Path, rounds: int) -> str:
    """Run ours and theirs in turns, each into an empty folder."""
    script, output = RIVALS / "ours.py", folder / "ours" / "out"
    ours = (script, row.format_name, row.source, folder, output)
    sides: dict[str, tuple[Interpreter, tuple[str | Path, ...]]] = {
        "ours": (Interpreter(sys.executable, {}), ours)
    }
    if row.program is not None:
        sides["theirs"] = (row.program, row.arguments)
    timings: dict[str, list[Timing]] = {side: [] for side in sides}
    for _ in range(rounds):
        for side, (program, arguments) in sides.items():
            shutil.rmtree(folder / side, ignore_errors=True)
            (folder / side).mkdir()
            timings[side].append(run([program.python, *map(str, arguments)], program.variables))
    return describe(timings)


def run(command: list[str], variables: Mapping[str, str] = MappingProxyType({})) -> Timing:
    """One process, which prints how long writing took, or logs when it begins to (Caffe)."""
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS), **variables}
    os.sync()  # so that nobody pays for what was written before
    start = perf_counter()
    process = subprocess.Popen(command, stdout=PIPE, stderr=PIPE, env=environment)
    assert process.stdout and process.stderr
    log = process.stderr.readline()
    logged = perf_counter()
    log += process.stderr.read()
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    end = perf_counter()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"failed: {' '.join(command)}: {log.decode().strip()}")
    writing_seconds = float(printed) if printed else end - logged
    return Timing(end - start, writing_seconds, usage.ru_maxrss * 1024)


def describe(timings: dict[str, list[Timing]]) -> str:
    """Medians and extremes of each side, and how many times as fast ours is."""
    lines = [f"\n  {side:6} {summary(runs)}" for side, runs in timings.items()]
    if "theirs" not in timings:
        return f"{lines[0]}\n  theirs skipped: its program was not found"
    ratios = [
        f"{name} {middle(timings['theirs'], field) / middle(timings['ours'], field):.1f}"
        for name, field in (("writing", "writing_seconds"), ("whole program", "program_seconds"))
    ]
    return f"{''.join(lines)}\n  times as fast: {', '.join(ratios)}"


def summary(runs: list[Timing]) -> str:
    """One side's times and memory."""
    fastest = min(timing.writing_seconds for timing in runs)
    peak = max(timing.memory_bytes for timing in runs) / 1e6
    return (
        f"writing {middle(runs, 'writing_seconds'):.3f} s (fastest {fastest:.3f}), "
        f"whole program {middle(runs, 'program_seconds'):.3f} s, peak memory {peak:.0f} MB"
    )


def middle(runs: list[Timing], field: str) -> float:
    """The median of one field."""
    return float(statistics.median(getattr(timing, field) for timing in runs))


def identical(folder: Path, *suffixes: str) -> bool:
    """Whether the last row's files are the same on both sides."""
    pairs = [(folder / "ours" / f"out{end}", folder / "theirs" / f"out{end}") for end in suffixes]
    return all(
        theirs.is_file() and filecmp.cmp(ours, theirs, shallow=False) for ours, theirs in pairs
    )


if __name__ == "__main__":
    main()
