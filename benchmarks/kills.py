"""What random kills cost a study: runs lost or measured again, and processes left behind.

usage: python benchmarks/kills.py [--kills 100] [--seed 1]

A study of short runs of the numpy adapter is called again and again; at random moments SIGKILL,
SIGTERM or SIGINT hits Snakemake, its process group, a job or a worker. What was finished has to
stay what it was, of what was to end nothing may be left two seconds after, and the same command
has to complete the study; then the next one begins, of the same runs under another protocol.
"""

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import yaml
from workflow import checkout, study

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
PARTS = {"job": ".snakemake/scripts/", "worker": "worker/run.py"}
TARGETS = ("snakemake", "group", *PARTS)
CASES, REPEATS = 4, 4
SHORT = {"steps": 2, "warmup_steps": 1, "warmup_limit_seconds": 0}
STUDY_SECONDS, RUN_SECONDS, NOTING_SECONDS = 6.0, 1.5, 0.3  # within which a signal comes
PATIENCE_SECONDS = 20.0
ALLOWED_SECONDS = 2.0
RECORDS = ("run.json", ".run.json.finished")
COMMAND = (sys.executable, "-m", "snakemake", "--configfile", "study.yaml", "--")
FIRST_RUN = "results/large/runs/case-0/numpy-0/cpu/float32/train-dataset/r1/run.json"
TARGET_FILES = ("results/large/measurements.csv", "results/large/tables/summary.csv")


class Campaign:
    """A checkout, the Snakemake that works on its study, and what was seen so far."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.dice, self.protocol = folder, random.Random(seed), 0
        self.finished: dict[Path, str] = {}
        self.seen: Counter[str] = Counter()
        self.seconds: dict[str, list[float]] = {"jobs": [], "Snakemake": []}
        checkout(folder)
        use_own_lock(folder)
        self.write_study()
        subprocess.run([*COMMAND, FIRST_RUN], cwd=folder, check=True, capture_output=True)
        self.start()

    def write_study(self) -> None:
        """Ask for the same runs under another protocol, none of which is finished."""
        self.protocol += 1
        content = study(frameworks=1, cases=CASES, repeats=REPEATS)
        cases = {name: {**case, **SHORT} for name, case in content["cases"].items()}
        changed = {**content, "cases": cases, "protocol": self.protocol}
        (self.folder / "study.yaml").write_text(yaml.safe_dump(changed))
        self.finished = {}

    def start(self) -> None:
        """Call the command; always the same one."""
        with (self.folder / "printed.log").open("ab") as printed:
            self.snakemake = subprocess.Popen(
                [*COMMAND, *TARGET_FILES],
                cwd=self.folder,
                stdout=printed,
                stderr=printed,
                start_new_session=True,
                # Started in the background we come with SIGINT ignored, and would hand that on.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )

    def go_on(self) -> None:
        """Start what has ended; the next study where it was completed."""
        ended = self.snakemake.poll()
        if ended is None:
            return
        self.compare()
        if ended == 0:
            self.seen["studies completed"] += len(self.finished) == CASES * REPEATS
            self.write_study()
        self.start()

    def kill(self) -> None:
        """Send one signal at a random moment, then look at what it left."""
        number, target = self.dice.choice(SIGNALS), self.dice.choice(TARGETS)
        self.wait_for_a_moment(target)
        self.go_on()
        snakemake = psutil.Process(self.snakemake.pid)
        part = self.part(target)
        self.compare()
        victims = [part, *part.children(recursive=True)] if part else None
        if target == "group":
            os.killpg(snakemake.pid, number)
        else:
            (part or snakemake).send_signal(number)
        name = f"{number.name} to {target if part or target == 'group' else 'snakemake'}"
        self.seen[name] += 1
        self.expect_end(victims, name)
        self.compare()

    def wait_for_a_moment(self, target: str) -> None:
        """Let some time pass: from now, from the start of a part, or from the end of a run.

        The end of a run is the weakest moment: its record is there, and Snakemake doesn't know it.
        """
        finished, part = self.records(), target if target in PARTS else "job"
        moments: dict[str, tuple[Callable[[], object], float]] = {
            "now": (lambda: True, STUDY_SECONDS),
            "start": (lambda: self.part(part), RUN_SECONDS if target in PARTS else STUDY_SECONDS),
            "end": (lambda: self.records().keys() - finished.keys(), NOTING_SECONDS),
        }
        come, longest_seconds = moments[self.dice.choice(list(moments))]
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not come() and time.monotonic() < deadline:
            self.go_on()
            time.sleep(0.01)
        time.sleep(self.dice.uniform(0, longest_seconds))

    def part(self, target: str) -> psutil.Process | None:
        """A job or a worker, where one is asked for and there."""
        try:
            below = psutil.Process(self.snakemake.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return None
        return next((p for p in below if PARTS.get(target, "\0") in command(p)), None)

    def expect_end(self, victims: list[psutil.Process] | None, name: str) -> None:
        """Wait for the end of a part, or of Snakemake and all it started; kill what stays."""
        start = time.monotonic()
        while self.below(victims) and time.monotonic() < start + ALLOWED_SECONDS:
            time.sleep(0.02)
        self.seconds["jobs"].append(time.monotonic() - start)
        for process in self.below(victims):
            self.seen["jobs left behind"] += 1
            print(f"left behind by {name}: {command(process)}", flush=True)
            process.kill()
        if victims is None:
            self.snakemake.wait()
            self.seconds["Snakemake"].append(time.monotonic() - start)

    def below(self, processes: list[psutil.Process] | None) -> list[psutil.Process]:
        """Those of some processes, or else of all in the checkout but Snakemake, that run."""
        candidates = psutil.process_iter() if processes is None else processes
        running = [process for process in candidates if runs_in(process, self.folder)]
        return [process for process in running if process.pid != self.snakemake.pid]

    def compare(self) -> None:
        """Look for changes in what was finished before."""
        now = self.records()
        for run, identity in self.finished.items():
            if now.get(run) != identity:
                self.seen["finished runs " + ("measured again" if run in now else "lost")] += 1
                print(f"{run}: was {identity}, is {now.get(run)}", flush=True)
        self.finished = now

    def records(self) -> dict[Path, str]:
        """The finished runs of this study, each with what tells it from its repetition."""
        found = {}
        for folder in self.folder.glob("results/large/runs/*/*/*/*/*/r*"):
            record = read_record(folder)
            if record and record["job"]["protocol"] == self.protocol:
                identity = f"{record['provenance']['started']}, {record['wall_seconds']} s"
                found[folder.relative_to(self.folder / "results/large/runs")] = identity
        return found

    def finish(self) -> None:
        """Complete the last study, without another kill."""
        before = self.protocol
        while self.protocol == before:
            self.snakemake.wait()
            self.go_on()
        self.snakemake.terminate()
        self.snakemake.wait()
        printed = (self.folder / "printed.log").read_text()
        self.seen["finished runs that Snakemake had not noted, kept"] = printed.count("is kept")


def use_own_lock(folder: Path) -> None:
    """Nothing is measured here for its own sake, so nobody who measures needs to wait for it."""
    locks = folder / "workflow/scripts/trainmark/machine/file_locks.py"
    locks.write_text(locks.read_text().replace("/tmp/trainmark.lock", str(folder / "lock")))


def read_record(folder: Path) -> dict[str, Any] | None:
    """The record of a finished run, which may just be moved from one name to the other."""
    for name in (*RECORDS, RECORDS[0]):
        try:
            found: dict[str, Any] = json.loads((folder / name).read_text())
        except FileNotFoundError:
            continue
        return found
    return None


def command(process: psutil.Process) -> str:
    """The command line of a process; empty once it has ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def runs_in(process: psutil.Process, folder: Path) -> bool:
    """Whether a process works in a folder and has not ended."""
    try:
        ended = process.status() == psutil.STATUS_ZOMBIE
        return not ended and Path(process.cwd()).is_relative_to(folder)
    except psutil.Error:
        return False


def main() -> None:
    """Kill, look, and print what was counted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder), arguments.seed)
        for _ in range(arguments.kills):
            campaign.kill()
        campaign.finish()
    for what, count in sorted(campaign.seen.items()):
        print(f"{what}: {count}")
    for whose, seconds in campaign.seconds.items():
        middle, most = statistics.median(seconds), max(seconds)
        print(f"seconds to the end of {whose}: median {middle:.2f}, most {most:.2f}")


if __name__ == "__main__":
    main()
