"""Where the spread of repeats comes from: from the processes, or from the time they ran at.

usage: python benchmarks/spread.py [--processes 5] [--rounds 30] [--seconds 1] [--csv FILE]
                                   [FRAMEWORK …]

Several processes train LeNet, each a window in turn, round by round; those that wait do nothing.
So all processes meet the same times. Given are standard deviations in %: between the means of the
processes, between the means of the rounds, and of what neither explains (a two-way analysis of
variance). --csv appends them to a file, with the git revision.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import kept
import numpy as np
from interpreters import Interpreter, framework_interpreter
from places import RIVALS, SCRIPTS
from training import Machine, job_of

from trainmark.runs.launch import worker_environment
from worker.job import Job

Process = subprocess.Popen[str]
NETWORK = "lenet"
COLUMNS = ("framework", "processes", "rounds", "rest", "revision")
TRIAL_STEPS = 20
PAUSE_SECONDS = 0.3
"""After a window, in which threads that wait actively go to sleep."""


class Spread(NamedTuple):
    """Standard deviations of seconds a window, as shares of their mean."""

    processes: float
    rounds: float
    rest: float


@contextmanager
def trainer(interpreter: Interpreter, job: Job) -> Iterator[Process]:
    """A process that builds the network, and then waits for numbers of steps."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "job.json")
        path.write_text(json.dumps(job._asdict()))
        variables = worker_environment(
            Path(interpreter.python), job.threads, [], interpreter.variables
        )
        process = subprocess.Popen(
            [interpreter.python, RIVALS / "windows.py", SCRIPTS, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=variables,
            text=True,
        )
        with process:
            try:
                yield process
            finally:
                process.kill()


def window_seconds(process: Process, steps: int) -> float:
    """How long the process trains for so many steps."""
    assert process.stdin and process.stdout
    process.stdin.write(f"{steps}\n")
    process.stdin.flush()
    for line in process.stdout:  # past the events of the worker
        if line.startswith("seconds "):
            return float(line.split()[1])
    sys.exit("failed: a process ended; its error is above")


def measured(trainers: Sequence[Process], rounds: int, seconds: float) -> np.ndarray:
    """Seconds of each window, (processes, rounds), after a trial that tells the number of steps."""
    for each in trainers:
        window_seconds(each, TRIAL_STEPS)
    steps = max(1, round(TRIAL_STEPS * seconds / window_seconds(trainers[0], TRIAL_STEPS)))
    table = np.empty((len(trainers), rounds))
    for number in range(rounds):
        for index, each in enumerate(trainers):
            table[index, number] = window_seconds(each, steps)
            time.sleep(PAUSE_SECONDS)
    return table


def spread(table: np.ndarray) -> Spread:
    """The parts of the variance of windows (processes, rounds), by their logarithms."""
    logarithms = np.log(table)
    processes, rounds = table.shape
    of_process = logarithms.mean(axis=1, keepdims=True)
    of_round = logarithms.mean(axis=0, keepdims=True)
    rest = logarithms - of_process - of_round + logarithms.mean()
    variance = (rest**2).sum() / ((processes - 1) * (rounds - 1))
    of_processes = of_process.var(ddof=1) - variance / rounds
    of_rounds = of_round.var(ddof=1) - variance / processes
    return Spread(max(of_processes, 0) ** 0.5, max(of_rounds, 0) ** 0.5, variance**0.5)


def main() -> None:
    """Print a line for each framework."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("frameworks", nargs="*", default=["pytorch", "mxnet"])
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--csv", type=Path)
    arguments = parser.parse_args()
    revision = kept.revision()
    threads = len(os.sched_getaffinity(0))
    print(f"{'':12} processes  rounds    rest")
    for framework in arguments.frameworks:
        job = job_of(framework, NETWORK, Machine("cpu", threads))
        interpreter = framework_interpreter(job.environment)
        if interpreter is None:
            print(f"{framework:12} skipped: its environment is not built", flush=True)
            continue
        with ExitStack() as stack:
            made = [trainer(interpreter, job) for _ in range(arguments.processes)]
            trainers = [*map(stack.enter_context, made)]
            table = measured(trainers, arguments.rounds, arguments.seconds)
        percent = [f"{100 * part:.1f}" for part in spread(table)]
        print(f"{framework:12} {'  '.join(f'{part:>6}%' for part in percent)}", flush=True)
        if arguments.csv:
            kept.append(arguments.csv, COLUMNS, [(framework, *percent, revision)])


if __name__ == "__main__":
    main()
