"""What JAX's training step of a network spends its kernels' time on.

usage: python benchmarks/kernels.py [--threads N] [--rounds 3] [--csv FILE] [NETWORK]

By XLA's own profiler and its compiled program, in a process each round. Printed are, by what a
kernel computes, the mean milliseconds of a step on all threads together, and the share of all
kernels. What a kernel has other threads do isn't seen. --csv appends each round's milliseconds to a
file, with the git revision.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import kept
import pandas as pd
from interpreters import Interpreter, framework_interpreter
from places import RIVALS, SCRIPTS
from rivals.tasks import TASKS
from training import Machine, job_of

from trainmark.runs.launch import worker_environment
from worker.job import Job

COLUMNS = ("network", "round", "operation", "milliseconds", "revision")
SHOWN = 8


def profile(interpreter: Interpreter, job: Job) -> dict[str, float]:
    """Milliseconds of a step by operation, of a process of its own."""
    python = Path(interpreter.python)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "job.json")
        path.write_text(json.dumps(job._asdict()), encoding="utf-8")
        command = [python, RIVALS / "kernels_jax.py", SCRIPTS, path]
        variables = worker_environment(python, job.threads, [], interpreter.variables)
        done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    milliseconds: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return milliseconds


def main() -> None:
    """Print a line for each operation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", nargs="?", choices=TASKS, default="resnet20")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--csv", type=Path)
    arguments = parser.parse_args()
    revision = kept.revision()
    interpreter = framework_interpreter("jax")
    if interpreter is None:
        sys.exit("jax: its environment is not built")
    job = job_of("jax", arguments.network, Machine("cpu", arguments.threads))
    rows = [
        (arguments.network, number, operation, f"{each:.3f}", revision)
        for number in range(1, arguments.rounds + 1)
        for operation, each in profile(interpreter, job).items()
    ]
    if arguments.csv:
        kept.append(arguments.csv, COLUMNS, rows)
    table = pd.DataFrame(rows, columns=COLUMNS).astype({"milliseconds": float})
    means = table.groupby("operation")["milliseconds"].sum() / arguments.rounds
    for operation, each in means.nlargest(SHOWN).items():
        print(f"{operation:32} {each:8.2f} ms {100 * each / means.sum():5.1f} %")
    print(f"{'all kernels':32} {means.sum():8.2f} ms")


if __name__ == "__main__":
    main()
