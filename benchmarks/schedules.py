"""What a learning rate that changes at each step costs, beside one that stays.

usage: python benchmarks/schedules.py [--rounds 3] [--device cpu] [--threads N]
                                      [--networks NETWORK …] [FRAMEWORK …]

Both run in turns; given are medians, and the ratio of the geometric means with its 95 % interval.
"""

import argparse
import statistics

from adapters import compared
from interpreters import framework_interpreter
from rivals.tasks import TASKS
from training import Machine, add_machine, in_turns, job_of

from trainmark.study import plugins, stages

SCHEDULE = {"inverse": {"gamma": 0.0001, "power": 0.75}}
TRAINING = [
    name
    for name in plugins.names("framework")
    if stages.is_available(name)
    and stages.has(name, "train")
    and "DIALECT" not in plugins.facts("framework", name)  # own loops know no schedule
]


def compare(framework: str, network: str, machine: Machine, rounds: int) -> str | None:
    """Run both; medians and the ratio as one line, None where the environment isn't built."""
    constant = job_of(framework, network, machine)
    jobs = [constant, constant._replace(schedule=SCHEDULE)]
    interpreter = framework_interpreter(constant.environment)
    if interpreter is None:
        return None
    sides = in_turns(interpreter, jobs, rounds)
    constant_speed, scheduled = map(statistics.median, sides)
    ratio = compared(*reversed(sides))
    return f"{framework:12} {network:10} {constant_speed:9,.1f} {scheduled:9,.1f} {ratio}"


def main() -> None:
    """Print a line for each framework and network."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("frameworks", nargs="*")
    parser.add_argument("--networks", nargs="+", choices=TASKS, default=["lenet"])
    parser.add_argument("--rounds", type=int, default=3)
    add_machine(parser)
    arguments = parser.parse_args()
    machine = Machine(arguments.device, arguments.threads)
    print(f"{'images/s':23} {'constant':>9} {'scheduled':>9} {'ratio':>6} {'95 %':>14}")
    for framework in arguments.frameworks or TRAINING:
        for network in arguments.networks:
            line = compare(framework, network, machine, arguments.rounds)
            print(line or f"{framework:12} skipped: its environment is not built", flush=True)


if __name__ == "__main__":
    main()
