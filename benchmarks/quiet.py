"""Whether disturbed runs are caught, and quiet ones are not.

usage: python benchmarks/quiet.py [--framework pytorch] [--device cpu] [--threads N]
                                  [--disturbed 10] [--steps 600] [--wait-seconds 30]

LeNet on one batch. Quiet runs, of which none should be flagged, take turns with runs beside which
another process burns a core until three seconds of the window have passed: each of those should be
caught, repeated, and end within 10 % of the quiet runs before and after it, as the machine's own
speed goes up and down in minutes. By how much shows in the quiet runs held against those around
them. Quiet ones wait at most --wait-seconds for others to rest.
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
from typing import Any, NamedTuple

from places import ROOT
from training import Machine, add_machine, job_of

from trainmark.machine.disturbances import Limits
from trainmark.runs.guard import Guard
from trainmark.runs.job import Task
from trainmark.runs.measure import Patience, measure
from trainmark.study.config import schemas

MACHINE = schemas.complete({})["machine"]
LIMITS, PATIENCE = Limits(**MACHINE["limits"]), Patience(**MACHINE["patience"])
CLOSE = 0.10
BURN_SECONDS = 3


class Measurer(NamedTuple):
    """What all runs have in common."""

    task: Task
    wait_seconds: float

    def measure(self, patience: Patience) -> dict[str, Any]:
        """One run's run.json."""
        with Guard() as guard:
            measure(self.task, LIMITS, patience, guard, lambda line: None)
        record: dict[str, Any] = json.loads((self.task.folder / "run.json").read_text())
        if record["status"] != "ok":
            sys.exit(f"a run {record['status']}: {record['reason']}")
        return record


def quiet(measurer: Measurer) -> dict[str, Any]:
    """One run on the machine as it is."""
    patience = PATIENCE._replace(attempts=1, wait_seconds=measurer.wait_seconds)
    return measurer.measure(patience)


def disturbed(measurer: Measurer) -> dict[str, Any]:
    """One run with a burner beside its first attempt, until some way into the window."""
    log = measurer.task.folder / "worker.log"
    log.unlink(missing_ok=True)
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    Thread(target=end_in_window, args=(burner, log), daemon=True).start()
    try:
        return measurer.measure(PATIENCE._replace(wait_seconds=0))
    finally:
        burner.kill()
        burner.wait()  # not before: a child that was waited for counts as the launcher's own


def end_in_window(burner: subprocess.Popen[bytes], log: Path) -> None:
    """Kill the burner some seconds after the warm-up, which comes just before the window."""
    while not (log.exists() and '"warmup"' in log.read_text()):
        time.sleep(0.1)
    time.sleep(BURN_SECONDS)
    burner.kill()


def speed(record: dict[str, Any]) -> float:
    """Images/s of a run's window."""
    window = record["window"]
    seconds: float = window["end_seconds"] - window["start_seconds"]
    return int(record["images"]) / seconds


def main() -> None:
    """Print the counts and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--framework", default="pytorch")
    parser.add_argument("--disturbed", type=int, default=10)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--wait-seconds", type=float, default=PATIENCE.wait_seconds)
    add_machine(parser)
    arguments = parser.parse_args()
    settings = {"steps": arguments.steps, "warmup_seconds": 1, "warmup_limit_seconds": 10}
    machine = Machine(arguments.device, arguments.threads)
    job = job_of(arguments.framework, "lenet", machine, **settings)
    environments = ROOT / "results" / "environments"
    lock = json.loads((environments / f"{job.environment}.json").read_text())
    os.chdir(ROOT)
    kinds = [*[quiet, disturbed] * arguments.disturbed, quiet]
    with tempfile.TemporaryDirectory() as folder:
        measurer = Measurer(Task(job._asdict(), lock, "", Path(folder)), arguments.wait_seconds)
        runs = [run(measurer) for run in kinds]
    alone, beside = runs[::2], runs[1::2]
    flagged = [run["disturbances"] for run in alone if run["disturbed"]]
    print(f"quiet: {len(flagged)} of {len(alone)} flagged {flagged}")
    caught = sum(run["attempts"] > 1 for run in beside)
    marked = sum(run["disturbed"] for run in beside)
    print(f"with a burner: {caught} of {len(beside)} caught and repeated, {marked} never quiet")
    speeds = list(map(speed, runs))
    report("disturbed and repeated", beside_quiet(speeds, range(1, len(speeds), 2), 1))
    report("quiet", beside_quiet(speeds, range(2, len(speeds) - 2, 2), 2))


def beside_quiet(speeds: list[float], positions: range, distance: int) -> list[float]:
    """Some speeds, each over the mean of those of the quiet runs before and after it."""
    return [
        speeds[position]
        / statistics.mean((speeds[position - distance], speeds[position + distance]))
        for position in positions
    ]


def report(what: str, ratios: list[float]) -> None:
    """How near runs are to the quiet ones before and after, where there are any of both."""
    if not ratios:
        return
    close = sum(abs(ratio - 1) <= CLOSE for ratio in ratios)
    mean = statistics.geometric_mean(ratios)
    print(f"{what}, over quiet: {', '.join(f'{ratio:.2f}' for ratio in ratios)};", end=" ")
    print(f"mean {mean:.3f}, {close} of {len(ratios)} within {CLOSE:.0%}")


if __name__ == "__main__":
    main()
