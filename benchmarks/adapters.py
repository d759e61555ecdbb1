"""How fast our adapters are beside plain loops as each framework's documentation writes them.

usage: python benchmarks/adapters.py [--stage train] [--rounds 5] [--device cpu] [--threads N]
                                     [--networks NETWORK …] [--csv FILE] [FRAMEWORK …]

Training by SGD with momentum, prediction whose calls aren't waited for one by one (--stage infer),
or generation (--stage generate --networks gpt2_mini -- pytorch jax tensorflow). Batches lie on the
device; float32, the same number of threads. Both sides run in turns, each in a process of its own;
given are medians, and the ratio of the geometric means with its 95 % interval. `others` is how many
cores other processes kept busy meanwhile: trust a ratio where it is near 0. --csv appends a row
for each round to a file, with the git revision.
"""

import argparse
import csv
import statistics
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import kept
from interpreters import framework_interpreter
from places import RIVALS
from rivals.tasks import OF_EACH, TASKS, WITH_ALL
from training import Machine, Speed, add_machine, job_of, ours, plain

from trainmark.analyse.compare.statistics import ratio
from worker import networks
from worker.job import Job

COLUMNS = ("framework", "network", "stage", "round", "ours", "plain", "others", "revision")
"""Of the file: images/s of both sides, the cores that others used, and the revision of ours."""
Pair = tuple[Speed, Speed]
"""Ours and the plain loop's."""


def measure(framework: str, job: Job, rounds: int) -> list[Pair] | None:
    """Run both sides in turns, each first in every other round.

    None where the framework has no environment for the device.
    """
    interpreter = framework_interpreter(job.environment)
    if interpreter is None:
        return None
    sides = {
        "ours": partial(ours, interpreter, job),
        "plain": partial(plain, interpreter, framework, job),
    }
    pairs = []
    for number in range(rounds):
        order = reversed(sides) if number % 2 else sides
        speeds = {side: sides[side]() for side in order}
        pairs.append((speeds["ours"], speeds["plain"]))
    return pairs


def line_of(framework: str, job: Job, pairs: Sequence[Pair]) -> str:
    """Medians of both sides, and the ratio with its interval."""
    speeds = [[speed.images_per_second for speed in side] for side in zip(*pairs, strict=True)]
    our_speed, theirs = map(statistics.median, speeds)
    others = max(speed.others for pair in pairs for speed in pair)
    text = compared(*speeds)
    return f"{framework:12} {job.network:12} {our_speed:9,.1f} {theirs:9,.1f} {text} {others:7.2f}"


def append(
    file: Path, framework: str, job: Job, pairs: Sequence[Pair], revision: str | None
) -> None:
    """Add a row for each round to a file, below its header and after earlier rounds of the pair."""
    pair = (framework, job.network, job.stage)
    rows = []
    for number, (our, other) in enumerate(pairs, start=rounds_in(file, pair) + 1):
        speeds = (f"{speed.images_per_second:.2f}" for speed in (our, other))
        rows.append((*pair, number, *speeds, f"{max(our.others, other.others):.3f}", revision))
    kept.append(file, COLUMNS, rows)


def rounds_in(file: Path, pair: tuple[str, str, str]) -> int:
    """How many rounds of a framework, network and stage a file has, if there is one."""
    if not file.exists():
        return 0
    with file.open(newline="") as rows:
        return sum(tuple(row[:3]) == pair for row in csv.reader(rows))


def compared(our_speeds: list[float], their_speeds: list[float]) -> str:
    """The ratio of two groups of speeds with its interval, if there are enough of them."""
    estimate = ratio(our_speeds, their_speeds)
    interval = "" if estimate.low is None else f"{estimate.low:.2f} to {estimate.high:.2f}"
    return f"{estimate.ratio:6.2f} {interval:>14}"


def networks_of(framework: str) -> list[str]:
    """The networks that a framework has a plain loop of."""
    return [*TASKS] if framework in WITH_ALL else [*OF_EACH]


def main() -> None:
    """Print a line for each framework that has a plain loop, and each network."""
    frameworks = [path.stem.removeprefix("plain_") for path in sorted(RIVALS.glob("plain_*.py"))]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("frameworks", nargs="*", help=f"of {', '.join(frameworks)}")
    classifiers = [name for name in TASKS if not networks.is_language_model(name)]
    parser.add_argument("--networks", nargs="+", choices=TASKS, default=classifiers)
    parser.add_argument("--stage", choices=("train", "infer", "generate"), default="train")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv", type=Path)
    add_machine(parser)
    arguments = parser.parse_args()
    machine = Machine(arguments.device, arguments.threads)
    revision = kept.revision()
    print(f"{'images/s':25} {'ours':>9} {'plain':>9} {'ratio':>6} {'95 %':>14} {'others':>7}")
    for framework in arguments.frameworks or frameworks:
        for network in (name for name in arguments.networks if name in networks_of(framework)):
            job = job_of(framework, network, machine, stage=arguments.stage)
            pairs = measure(framework, job, arguments.rounds)
            if pairs is None:
                print(f"{framework:12} skipped: its environment is not built", flush=True)
                continue
            print(line_of(framework, job, pairs), flush=True)
            if arguments.csv:
                append(arguments.csv, framework, job, pairs, revision)


if __name__ == "__main__":
    main()
