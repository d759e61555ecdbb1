"""A study of short runs that kills.py and its kind kill again and again, and what is left.

What was finished has to stay what it was, and the same command has to complete the study, from its
data set to its page and its archive; then the next one begins, of the same runs under another
protocol.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
import yaml
from workflow import checkout

from trainmark.study import plan

LOCKS = "workflow/scripts/trainmark/machine/file_locks.py"
RECORDS = ("run.json", ".run.json.finished")
SNAKEMAKE = (sys.executable, "-m", "snakemake", "--configfile", "study.yaml")
TARGET_FILES = ("results/large/report.html", "results/large/large.zip")
PREPARED = ("data", "references")
PATIENCE_SECONDS = 20.0

Record = dict[str, Any]


class KilledStudy:
    """A checkout, the Snakemake that works on its study, and what was seen so far."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        content: Mapping[str, Any],
        command: Sequence[str | Path] = SNAKEMAKE,
    ) -> None:
        """Prepare the study and call the command, which reads study.yaml, for the first time."""
        self.folder, self.dice, self.protocol = folder, random.Random(seed), 0
        self.content, self.command = content, (*command, "--", *TARGET_FILES)
        self.finished: dict[Path, str] = {}
        self.seen: Counter[str] = Counter()
        checkout(folder)
        self.replace_lock()
        self.write_study()
        prepare = (*SNAKEMAKE, "--", "prepare")
        subprocess.run(prepare, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        self.start()

    def replace_lock(self) -> None:
        """Nothing is measured here for its own sake: nobody who measures needs to wait for it."""
        locks = self.folder / LOCKS
        text, shared = locks.read_text(), '"/tmp/trainmark.lock"'
        assert shared in text
        locks.write_text(text.replace(shared, self.lock()))

    def lock(self) -> str:
        """The path of the lock of a machine, as an expression."""
        return repr(str(self.folder / "lock"))

    def write_study(self) -> None:
        """Ask for the same runs under another protocol, none of which is finished, and new data."""
        self.protocol += 1
        for name in PREPARED:
            shutil.rmtree(self.folder / "results" / name, ignore_errors=True)
        (self.folder / "study.yaml").write_text(yaml.safe_dump(self.study()))
        self.finished = {}

    def study(self) -> dict[str, Any]:
        """The study that is measured now."""
        return {**self.content, "protocol": self.protocol}

    def start(self) -> None:
        """Call the command; always the same one."""
        with (self.folder / "printed.log").open("ab") as printed:
            self.snakemake = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env={**os.environ, **self.variables()},
                stdout=printed,
                stderr=printed,
                start_new_session=True,
                # Started in the background we come with SIGINT ignored, and would hand that on.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )

    def variables(self) -> dict[str, str]:
        """What the command's environment has besides our own."""
        return {}

    def go_on(self) -> None:
        """Start what has ended; the next study where it was completed."""
        ended = self.snakemake.poll()
        if ended is None:
            return
        if self.look_back(ended):
            self.write_study()
        self.start()

    def look_back(self, ended: int) -> bool:
        """Count what is to be known of a Snakemake that has ended with a status.

        Gives whether the study is complete. One that is told to end while it starts ends with 0.
        """
        self.compare()
        runs = plan.make(self.study(), self.folder / "envs").runs
        is_complete = ended == 0 and len(self.finished) == len(runs)
        self.seen["studies completed"] += is_complete
        return is_complete

    def wait_for(self, come: Callable[[], object], longest_seconds: float) -> None:
        """Let something come, and then some random time pass."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not come() and time.monotonic() < deadline:
            self.go_on()
            self.pause(0.01)
        self.pause(self.dice.uniform(0, longest_seconds))

    def pause(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)

    def compare(self) -> None:
        """Look for changes in what was finished before."""
        now = {run: identity(record) for run, record in self.records().items()}
        for run, before in self.finished.items():
            if now.get(run) != before:
                self.seen["finished runs " + ("measured again" if run in now else "lost")] += 1
                print(f"{run}: was {before}, is {now.get(run)}", flush=True)
        self.finished = now

    def records(self) -> dict[Path, Record]:
        """The records of this study's finished runs."""
        by_run = {}
        for folder in self.folder.glob("results/large/runs/*/*/*/*/*/r*"):
            record = read_record(folder)
            if record and record["job"]["protocol"] == self.protocol:
                by_run[folder.relative_to(self.folder / "results/large/runs")] = record
        return by_run

    def processes(self, part: str = "") -> list[psutil.Process]:
        """All that work in the checkout, except Snakemake itself, with a part in their command."""
        running = [process for process in psutil.process_iter() if runs_in(process, self.folder)]
        others = [process for process in running if process.pid != self.snakemake.pid]
        return [process for process in others if part in command_line(process)]

    def finish(self) -> None:
        """Complete the last study, without another kill."""
        while not self.look_back(self.snakemake.wait()):
            self.start()

    def tell(self) -> None:
        """Print what was counted."""
        for what, count in sorted(self.seen.items()):
            print(f"{what}: {count}")


def short(content: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """A study whose cases have some settings."""
    cases = {name: {**case, **settings} for name, case in content["cases"].items()}
    return {**content, "cases": cases}


def identity(record: Record) -> str:
    """What tells a run from its repetition."""
    return f"{record['provenance']['started']}, {record['wall_seconds']} s"


def read_record(folder: Path) -> Record | None:
    """The record of a finished run, which may just be moved from one name to the other."""
    for name in (*RECORDS, RECORDS[0]):
        try:
            record: Record = json.loads((folder / name).read_text())
        except FileNotFoundError:
            continue
        return record
    return None


def command_line(process: psutil.Process) -> str:
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


def arguments(description: str, kills: int) -> argparse.Namespace:
    """How many kills, and the seed of when and what they are."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--kills", type=int, default=kills)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()
