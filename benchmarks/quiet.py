"""Whether disturbed runs are caught, and quiet ones are not.

usage: python benchmarks/quiet.py [--framework pytorch] [--quiet 20] [--disturbed 10]

LeNet on one batch. First runs without other load, of which none should be flagged; then runs during
whose first attempt another process burns a core: each should be caught, repeated, and end within
10 % of the quiet ones.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from interpreters import REPOSITORY
from training import job_of

from trainmark.train.measure import Patience, measure
from trainmark.train.quiet import Limits
from trainmark.train.record import speed

CLOSE = 0.10
STEPS = 1500


def job(framework: str) -> dict[str, Any]:
    """A run of some seconds."""
    own = {"adapter": framework, "framework": framework, "options": {}, "timeout_seconds": 300}
    settle = {"warmup_seconds": 1, "warmup_limit_seconds": 10}
    return {**job_of("lenet"), **own, **settle, "steps": STEPS, "threads": cores()}


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0))


def quiet(job: dict[str, Any], lock: dict[str, Any], folder: Path) -> dict[str, Any]:
    """One run on the machine as it is."""
    measure(job, lock, folder, Limits(), Patience(attempts=1), lambda line: None)
    record: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return record


def disturbed(job: dict[str, Any], lock: dict[str, Any], folder: Path) -> dict[str, Any]:
    """One run with a burner beside its first attempt."""
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)

    def say(line: str) -> None:
        if "disturbed" in line:
            burner.kill()

    try:
        measure(job, lock, folder, Limits(), Patience(attempts=3, wait_seconds=5), say)
    finally:
        burner.kill()
        burner.wait()
    record: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return record


def main() -> None:
    """Print each run, and the three counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--framework", default="pytorch")
    parser.add_argument("--quiet", type=int, default=20)
    parser.add_argument("--disturbed", type=int, default=10)
    arguments = parser.parse_args()
    environments = REPOSITORY / "results" / "environments"
    lock = json.loads((environments / f"{arguments.framework}.json").read_text())
    task = job(arguments.framework)
    os.chdir(REPOSITORY)
    with tempfile.TemporaryDirectory() as folder:
        alone = [quiet(task, lock, Path(folder)) for _ in range(arguments.quiet)]
        median = statistics.median(map(speed, alone))
        flagged = [run["disturbances"] for run in alone if run["disturbed"]]
        print(f"quiet: {median:,.0f} images/s, {len(flagged)} of {len(alone)} flagged {flagged}")
        beside = [disturbed(task, lock, Path(folder)) for _ in range(arguments.disturbed)]
    ratios = [speed(run) / median for run in beside]
    caught = sum(run["attempts"] > 1 for run in beside)
    close = sum(abs(ratio - 1) <= CLOSE for ratio in ratios)
    marked = sum(run["disturbed"] for run in beside)
    print(f"with a burner: {caught} of {len(beside)} caught and repeated, {marked} never quiet")
    print(f"final speed / quiet: {', '.join(f'{ratio:.3f}' for ratio in ratios)}")
    print(f"{close} of {len(beside)} within {CLOSE:.0%}")


if __name__ == "__main__":
    main()
