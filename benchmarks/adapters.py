"""How fast our adapters train beside plain loops as each framework's documentation writes them.

usage: python benchmarks/adapters.py [--rounds 5] [--threads N] [FRAMEWORK ...]

LeNet, batches of 64 images that lie on the device, SGD with momentum, float32, the same number of
threads. Both sides run in turns, each in a process of its own. `others` is how many cores other
processes kept busy meanwhile: trust a ratio where it is near 0.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from interpreters import REPOSITORY, framework_python

SCRIPTS = REPOSITORY / "workflow" / "scripts"
RIVALS = Path(__file__).parent / "rivals"
sys.path.insert(0, str(SCRIPTS))

from trainmark.train import events  # noqa: E402
from trainmark.train.launch import worker_environment  # noqa: E402

JOB = {
    "device": "cpu",
    "precision": "float32",
    "stage": "train",
    "input_mode": "synthetic",
    "network": "lenet",
    "image_shape": [1, 28, 28],
    "classes": 10,
    "batch_size": 64,
    "warmup_steps": 40,
    "steps": 400,
    "learning_rate": 0.001,
    "momentum": 0.9,
    "weight_decay": 0.0,
    "seed": 1,
    "evaluate": False,
    "options": {},
    "data": None,
    "reference": None,
}


class Finished(NamedTuple):
    """A process that trained: what it printed, and the cores that others used meanwhile."""

    printed: str
    others: float


def ours(python: str, framework: str, threads: int) -> tuple[float, float]:
    """Images/s in the window of a real run, and the cores used by others."""
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder, "job.json")
        job.write_text(json.dumps({**JOB, "adapter": framework, "threads": threads}))
        done = run([python, "-I", SCRIPTS / "worker" / "run.py", job], threads)
    told = events.parse(done.printed)
    start, end = events.last(told, "window_start"), events.last(told, "window_end")
    assert start and end
    return end["images"] / (end["time_seconds"] - start["time_seconds"]), done.others


def plain(python: str, framework: str, threads: int) -> tuple[float, float]:
    """Images/s of the plain loop, and the cores used by others."""
    done = run([python, RIVALS / f"plain_{framework}.py", str(threads)], threads)
    return json.loads(done.printed.splitlines()[-1])["speed"], done.others


def run(command: list[Any], threads: int) -> Finished:
    """One process with the environment variables that a run gets."""
    before, clock = busy_seconds()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=worker_environment(Path(command[0]), threads, (), {}),
        text=True,
    )
    assert process.stdout
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    after, now = busy_seconds()
    return Finished(printed, (after - before - usage.ru_utime - usage.ru_stime) / (now - clock))


def busy_seconds() -> tuple[float, float]:
    """CPU seconds of the whole machine, and the time they were read at, since boot."""
    user, nice, system, _idle, _wait, irq, soft = map(
        int, Path("/proc/stat").read_text().split()[1:8]
    )
    uptime = float(Path("/proc/uptime").read_text().split()[0])
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK"), uptime


def compare(framework: str, python: str, threads: int, rounds: int) -> str:
    """Run both sides in turns; a line of medians and their ratio."""
    pairs = [
        (ours(python, framework, threads), plain(python, framework, threads)) for _ in range(rounds)
    ]
    ratio = statistics.median(own / other for (own, _), (other, _) in pairs)
    own = statistics.median(speed for (speed, _), _ in pairs)
    other = statistics.median(speed for _, (speed, _) in pairs)
    others = max(cores for pair in pairs for _, cores in pair)
    return f"{framework:12} {own:8,.0f} {other:8,.0f} {ratio:6.2f} {others:7.2f}"


def main() -> None:
    """Print a line for each framework that has a plain loop."""
    known = [path.stem.removeprefix("plain_") for path in sorted(RIVALS.glob("plain_*.py"))]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("frameworks", nargs="*", help=f"of {', '.join(known)}")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    print(f"{'images/s':12} {'ours':>8} {'plain':>8} {'ratio':>6} {'others':>7}")
    for framework in arguments.frameworks or known:
        python = framework_python(framework)
        if python is None:
            print(f"{framework:12} skipped: its environment is not built")
        else:
            print(compare(framework, python, arguments.threads, arguments.rounds), flush=True)


if __name__ == "__main__":
    main()
