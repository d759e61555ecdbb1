"""Whether disturbed runs are caught, and quiet ones are not.

usage: python benchmarks/quiet.py [--framework pytorch] [--disturbed 10] [--steps 600]

LeNet on one batch. Quiet runs, of which none should be flagged, take turns with runs beside which
another process burns a core until three seconds of the window have passed: each of those should be
caught, repeated, and end within 10 % of the quiet runs before and after it, as the machine's own
speed goes up and down in minutes. By how much shows in the quiet runs held against those around
them.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Thread
from typing import Any

from interpreters import REPOSITORY
from training import job_of

from trainmark.machine.disturbances import Limits
from trainmark.runs.measure import Patience, measure
from trainmark.runs.record import speed
from trainmark.study.config import schemas

MACHINE = schemas.complete({})["machine"]
LIMITS, PATIENCE = Limits(**MACHINE["limits"]), Patience(**MACHINE["patience"])
CLOSE = 0.10
BURN_SECONDS = 3


def job(framework: str, steps: int) -> dict[str, Any]:
    """A run of some seconds."""
    own = {"adapter": framework, "framework": framework, "options": {}, "timeout_seconds": 900}
    settle = {"warmup_seconds": 1, "warmup_limit_seconds": 10}
    return {**job_of("lenet"), **own, **settle, "steps": steps, "threads": cores()}


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0))


def quiet(job: dict[str, Any], lock: dict[str, Any], folder: Path) -> dict[str, Any]:
    """One run on the machine as it is."""
    measure(job, lock, folder, LIMITS, PATIENCE._replace(attempts=1), lambda line: None)
    record: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return record


def disturbed(job: dict[str, Any], lock: dict[str, Any], folder: Path) -> dict[str, Any]:
    """One run with a burner beside its first attempt, until some way into the window."""
    log = folder / "worker.log"
    log.unlink(missing_ok=True)
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    ending = Thread(target=end_in_window, args=(burner, log))
    ending.start()
    measure(job, lock, folder, LIMITS, PATIENCE._replace(wait_seconds=0), lambda line: None)
    ending.join()
    burner.wait()  # not before: a child that was waited for counts as the launcher's own
    record: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return record


def end_in_window(burner: subprocess.Popen[bytes], log: Path) -> None:
    """Kill the burner some seconds after the warm-up, which comes just before the window."""
    while not (log.exists() and '"warmup"' in log.read_text()):
        time.sleep(0.1)
    time.sleep(BURN_SECONDS)
    burner.kill()


def main() -> None:
    """Print the counts and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--framework", default="pytorch")
    parser.add_argument("--disturbed", type=int, default=10)
    parser.add_argument("--steps", type=int, default=600)
    arguments = parser.parse_args()
    environments = REPOSITORY / "results" / "environments"
    lock = json.loads((environments / f"{arguments.framework}.json").read_text())
    task = job(arguments.framework, arguments.steps)
    os.chdir(REPOSITORY)
    kinds = [*[quiet, disturbed] * arguments.disturbed, quiet]
    with tempfile.TemporaryDirectory() as folder:
        runs = [run(task, lock, Path(folder)) for run in kinds]
    alone, beside = runs[::2], runs[1::2]
    flagged = [run["disturbances"] for run in alone if run["disturbed"]]
    print(f"quiet: {len(flagged)} of {len(alone)} flagged {flagged}")
    caught = sum(run["attempts"] > 1 for run in beside)
    marked = sum(run["disturbed"] for run in beside)
    print(f"with a burner: {caught} of {len(beside)} caught and repeated, {marked} never quiet")
    speeds = list(map(speed, runs))
    report("disturbed and repeated", beside_quiet(speeds, range(1, len(speeds), 2), 1))
    report("quiet", beside_quiet(speeds, range(2, len(speeds) - 2, 2), 2))


def beside_quiet(speeds: list[float], places: range, distance: int) -> list[float]:
    """Some speeds, each over the mean of those of the quiet runs before and after it."""
    return [
        speeds[place] / statistics.mean((speeds[place - distance], speeds[place + distance]))
        for place in places
    ]


def report(what: str, ratios: list[float]) -> None:
    """How near runs are to the quiet ones before and after."""
    close = sum(abs(ratio - 1) <= CLOSE for ratio in ratios)
    mean = statistics.geometric_mean(ratios)
    print(f"{what}, over quiet: {', '.join(f'{ratio:.2f}' for ratio in ratios)};", end=" ")
    print(f"mean {mean:.3f}, {close} of {len(ratios)} within {CLOSE:.0%}")


if __name__ == "__main__":
    main()
