"""What each declared option of an adapter gains beside the adapter's default.

usage: python benchmarks/variants.py [--rounds 3] [--device cpu] [--threads N]
                                     [--networks NETWORK …] [FRAMEWORK …]

Each option that is off by default is switched on alone, and all together where there are several.
Default and variant run in turns; given are medians, and the gain as the ratio of the geometric
means with its 95 % interval.
"""

import argparse
import statistics
from collections.abc import Iterator

from adapters import compared
from interpreters import framework_interpreter
from rivals.tasks import TASKS
from training import Machine, add_machine, in_turns, job_of

from trainmark.study import plugins

Options = dict[str, bool]


def variants(framework: str) -> Iterator[Options]:
    """The options of an adapter that are off by default, one by one and together."""
    options = plugins.facts("framework", framework).get("OPTIONS", {})
    off = [name for name, default in options.items() if default is False]
    yield from ({name: True} for name in off)
    if len(off) > 1:
        yield dict.fromkeys(off, True)


def compare(
    framework: str, network: str, options: Options, machine: Machine, rounds: int
) -> str | None:
    """Run default and variant in turns; medians and the gain as one line.

    None where the framework's environment for the device isn't built.
    """
    jobs = [job_of(framework, network, machine, chosen) for chosen in ({}, options)]
    interpreter = framework_interpreter(jobs[0].environment)
    if interpreter is None:
        return None
    sides = in_turns(interpreter, jobs, rounds)
    default, variant = map(statistics.median, sides)
    name = f"{framework} {'+'.join(options)}"
    gain = compared(*reversed(sides))
    return f"{name:36} {network:10} {default:9,.1f} {variant:9,.1f} {gain}"


def main() -> None:
    """Print a line for each variant and network."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("frameworks", nargs="*")
    parser.add_argument("--networks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--rounds", type=int, default=3)
    add_machine(parser)
    arguments = parser.parse_args()
    machine = Machine(arguments.device, arguments.threads)
    print(f"{'images/s':47} {'default':>9} {'variant':>9} {'gain':>6} {'95 %':>14}")
    for framework in arguments.frameworks or plugins.names("framework"):
        for options in variants(framework):
            for network in arguments.networks:
                if line := compare(framework, network, options, machine, arguments.rounds):
                    print(line, flush=True)


if __name__ == "__main__":
    main()
