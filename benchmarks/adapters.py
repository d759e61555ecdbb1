"""How fast our adapters train beside plain loops as each framework's documentation writes them.

usage: python benchmarks/adapters.py [--rounds 5] [--threads N] [--networks NETWORK …] [FRAMEWORK …]

Batches that lie on the device, SGD with momentum, float32, the same number of threads. Both sides
run in turns, each in a process of its own; given are medians, and the ratio of the geometric means
with its 95 % interval. `others` is how many cores other processes kept busy meanwhile: trust a
ratio where it is near 0.
"""

import argparse
import os
import statistics

from interpreters import Interpreter, framework_interpreter
from rivals.tasks import TASKS
from training import RIVALS, ours, plain

from trainmark.analyse.across.statistics import ratio


def compare(
    interpreter: Interpreter, framework: str, network: str, threads: int, rounds: int
) -> str:
    """Run both sides in turns; medians and the ratio with its interval as one line."""
    pairs = [
        (
            ours(interpreter, framework, network, threads, options={}),
            plain(interpreter, framework, network, threads),
        )
        for _ in range(rounds)
    ]
    speeds = [[speed.images_per_second for speed in side] for side in zip(*pairs, strict=True)]
    own, other = map(statistics.median, speeds)
    others = max(speed.others for pair in pairs for speed in pair)
    found = compared(*speeds)
    return f"{framework:12} {network:10} {own:9,.1f} {other:9,.1f} {found} {others:7.2f}"


def compared(own: list[float], other: list[float]) -> str:
    """The ratio of two groups of speeds with its interval, if there are enough of them."""
    found = ratio(own, other)
    interval = "" if found.low is None else f"{found.low:.2f} to {found.high:.2f}"
    return f"{found.value:6.2f} {interval:>14}"


def main() -> None:
    """Print a line for each framework that has a plain loop, and each network."""
    known = [path.stem.removeprefix("plain_") for path in sorted(RIVALS.glob("plain_*.py"))]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("frameworks", nargs="*", help=f"of {', '.join(known)}")
    parser.add_argument("--networks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    print(f"{'images/s':23} {'ours':>9} {'plain':>9} {'ratio':>6} {'95 %':>14} {'others':>7}")
    for framework in arguments.frameworks or known:
        interpreter = framework_interpreter(framework)
        for network in arguments.networks if interpreter else ():
            settings = (framework, network, arguments.threads, arguments.rounds)
            print(compare(interpreter, *settings), flush=True)
        if interpreter is None:
            print(f"{framework:12} skipped: its environment is not built")


if __name__ == "__main__":
    main()
