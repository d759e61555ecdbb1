"""What JAX's training step of a network spends its kernels' time on.

usage: python benchmarks/kernels.py [--threads N] [NETWORK]

By XLA's own profiler and its compiled program. Printed are, by what a kernel computes, milliseconds
of a step on all threads together, and the share of all kernels. What a kernel has other threads do
isn't seen.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from interpreters import framework_interpreter
from places import RIVALS, SCRIPTS
from rivals.tasks import TASKS
from training import Machine, job_of

from trainmark.runs import events
from trainmark.runs.launch import worker_environment


def main() -> None:
    """Print a line for each operation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", nargs="?", choices=TASKS, default="resnet20")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    interpreter = framework_interpreter("jax")
    if interpreter is None:
        sys.exit("jax: its environment is not built")
    job = job_of("jax", arguments.network, Machine("cpu", arguments.threads))
    python = Path(interpreter.python)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "job.json")
        path.write_text(json.dumps(job._asdict()), encoding="utf-8")
        command = [python, RIVALS / "kernels_jax.py", SCRIPTS, path]
        variables = worker_environment(python, job.threads, [], interpreter.variables)
        done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    lines = (line for line in done.stdout.splitlines() if not line.startswith(events.PREFIX))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
