"""What random kills cost a study of two machines that is measured on a batch system.

usage: python benchmarks/cluster_kills.py [--kills 10] [--seed 1]

A real Slurm of two nodes is started on this machine, from Debian's packages; `make slurm` has to
have been called. A study of short runs of the numpy adapter is measured on both nodes, by a
Snakemake that submits each run. At random moments a signal hits Snakemake, a job or a worker, a job
is cancelled, or a node is lost and comes back; then the same command is called again.
"""

import itertools
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from killed_study import SNAKEMAKE, KilledStudy, Record, arguments, command_line, short
from places import ROOT
from workflow import study

sys.path.insert(0, str(ROOT / "tests"))

from little_slurm import NODES, OPTIONS, Slurm, running

PYTHON = ROOT / ".venv-slurm" / "bin" / "python"
PROFILE = ("--workflow-profile", "profiles/slurm")
CASES, REPEATS = 2, 3
SHORT = {"warmup_steps": 1, "warmup_limit_seconds": 0, "window_seconds": 2}
MACHINES = {
    f"machine-{node}": {"resources": {"slurm_partition": partition}, "queued": 2}
    for node, partition in NODES.items()
}
LOCK = '"{}/lock-" + os.environ.get("SLURMD_NODENAME", "")'
JOB, WORKER = ".snakemake/scripts/", "worker/run.py"
STUDY_SECONDS, RUN_SECONDS, NOTING_SECONDS = 30.0, 6.0, 15.0  # within which a kill comes
LOOK_SECONDS = 0.3
LOST_SECONDS = 5.0  # for which a node is away
LEFT_SECONDS = 240.0  # a job that Slurm takes back from a lost node begins again after 121


class Campaign(KilledStudy):
    """A study on a batch system."""

    workers: tuple[str, ...] = (WORKER,)
    """Programs in a run's folder, without which it fails."""
    victims: tuple[str, ...] = ()
    """Other programs that are killed."""
    misplaced = "runs on the wrong node"

    def __init__(
        self,
        folder: Path,
        seed: int,
        slurm: Slurm,
        content: Mapping[str, Any],
        options: Sequence[str] = (),
    ) -> None:
        """Begin with a study, by a Snakemake with further options."""
        self.slurm = slurm
        self.harms: dict[str, Callable[[], bool]] = {
            "SIGKILL to Snakemake": lambda: self.signal_snakemake(signal.SIGKILL),
            "SIGTERM to Snakemake": lambda: self.signal_snakemake(signal.SIGTERM),
            "SIGINT to Snakemake": lambda: self.signal_snakemake(signal.SIGINT),
            **{
                f"SIGKILL to {part}": partial(self.kill_part, part)
                for part in (JOB, *self.workers, *self.victims)
            },
            "job cancelled": self.cancel,
            "node lost": self.lose,
        }
        self.to_come: list[str] = []
        self.harms_of_call = 0
        self.worker_killed: set[Path | None] = set()
        self.twice: set[frozenset[psutil.Process]] = set()
        self.seconds: list[float] = []
        command: Sequence[str | Path] = (PYTHON, *SNAKEMAKE[1:], *PROFILE, *OPTIONS, *options)
        super().__init__(folder, seed, short(content, SHORT), command)

    def lock(self) -> str:
        """Each node has one of its own, as other machines have."""
        return LOCK.format(self.folder)

    def variables(self) -> dict[str, str]:
        """The programs of Slurm are found."""
        return {"PATH": f"{self.slurm.programs}{os.pathsep}{os.environ['PATH']}"}

    def start(self) -> None:
        """Call the command; what is in the queue before is of others."""
        self.harms_of_call, self.others = 0, {name for _, name in self.queue()}
        super().start()

    def queue(self) -> list[tuple[str, str]]:
        """The jobs that run or wait, each by its number and its Snakemake's name."""
        options = ("--noheader", "--states=PENDING,RUNNING", "--format=%i %j")
        lines = self.slurm.call("squeue", *options).splitlines()
        return [(number, name) for number, name in map(str.split, lines)]

    def kill(self) -> None:
        """Do the next kind of harm, at a random moment at which there is what it strikes."""
        self.to_come = self.to_come or self.dice.sample(list(self.harms), len(self.harms))
        kind = self.to_come.pop()
        self.come_to_a_moment()
        while not self.harms[kind]():
            self.come_to_a_moment()
        print(f"{time.strftime('%H:%M:%S')} {kind}", flush=True)
        self.seen[kind] += 1
        self.harms_of_call += 1
        self.pause(1)
        self.compare()

    def come_to_a_moment(self) -> None:
        """Go on for some time: from now, from the start of a worker, or from the end of a run.

        That a run has ended Snakemake doesn't know for some seconds.
        """
        finished = self.records()
        moments: dict[str, tuple[Callable[[], object], float]] = {
            "now": (lambda: True, STUDY_SECONDS),
            "start": (lambda: self.processes(WORKER), RUN_SECONDS),
            "end": (lambda: self.records().keys() - finished.keys(), NOTING_SECONDS),
        }
        self.wait_for(*moments[self.dice.choice(list(moments))])
        self.go_on()
        self.compare()

    def signal_snakemake(self, number: signal.Signals) -> bool:
        """Kill Snakemake, or tell it to end: then its jobs have to end with it."""
        self.snakemake.send_signal(number)
        start = time.monotonic()
        while self.snakemake.poll() is None:
            self.pause(LOOK_SECONDS)
        if number != signal.SIGKILL:
            self.seconds.append(time.monotonic() - start)
            left = [job for job, name in self.queue() if name not in self.others]
            self.count("jobs left by a Snakemake that was told to end", left)
        return True

    def kill_part(self, part: str) -> bool:
        """Kill a job, whose worker ends with it, or a worker alone: then its run has failed."""
        there = self.processes(part)
        if there:
            victim = self.dice.choice(there)
            if part in self.workers:
                self.worker_killed.add(run_of(victim))
            victim.kill()
        return bool(there)

    def cancel(self) -> bool:
        """Cancel a job, which runs or waits."""
        jobs = self.queue()
        if jobs:
            self.slurm.call("scancel", self.dice.choice(jobs)[0])
        return bool(jobs)

    def lose(self) -> bool:
        """Lose a node and get it back; Slurm starts its jobs again two minutes later."""
        node = self.dice.choice(list(NODES))
        update = ("scontrol", "update", f"NodeName={node}")
        self.slurm.call(*update, "State=DOWN", "Reason=lost")
        self.pause(LOST_SECONDS)
        if "down" in self.slurm.call("sinfo", "--noheader", f"--nodes={node}", "--format=%T"):
            self.slurm.call(*update, "State=RESUME")  # or its daemon has brought it back
        return True

    def pause(self, seconds: float) -> None:
        """Let time pass, and see whether two work on one run."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.look()
            time.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Count each pair of workers in one run's folder."""
        for one, other in itertools.combinations(self.processes(WORKER), 2):
            pair = frozenset((one, other))
            if pair not in self.twice and run_of(one) == run_of(other):
                self.twice.add(pair)
                self.count("runs measured twice at once", [run_of(one)])

    def look_back(self, ended: int) -> bool:
        """Count besides what a call does wrongly by itself, and what a complete study has."""
        is_complete = super().look_back(ended)
        if ended and not self.harms_of_call:
            self.count("calls that failed though nothing was killed", [ended])
        if is_complete:
            self.look_at_records()
            self.look_at_leftovers()
            self.worker_killed = set()
        return is_complete

    def look_at_records(self) -> None:
        """Count runs on the wrong node, and those that failed."""
        for run, record in self.records().items():
            if self.is_misplaced(record):
                node = record["provenance"]["batch"]["node"]
                self.count(self.misplaced, [f"{run} on {node}"])
            if record["status"] != "ok":
                self.count(f"runs failed {self.cause(run, record)}", [f"{run}: {record['reason']}"])

    def cause(self, run: Path, record: Record) -> str:
        """By what a run failed."""
        return "by the kill of their worker" if run in self.worker_killed else "by others"

    def is_misplaced(self, record: Record) -> bool:
        """Whether a run was measured on another node than its machine's."""
        node = record["provenance"]["batch"]["node"]
        return bool(record["job"]["machine_name"] != f"machine-{node}")

    def look_at_leftovers(self) -> None:
        """Let the jobs of killed Snakemakes come to their end; count what stays."""
        deadline = time.monotonic() + LEFT_SECONDS
        while (self.queue() or self.processes()) and time.monotonic() < deadline:
            self.pause(LOOK_SECONDS)
        self.count("jobs left behind", self.queue())
        self.count("processes left behind", map(command_line, self.processes()))
        self.compare()

    def count(self, what: str, of: Iterable[object]) -> None:
        """Count some, and print each."""
        for each in of:
            self.seen[what] += 1
            print(f"{what}: {each}", flush=True)


def carry_out(campaign: Campaign, kills: int) -> None:
    """Kill, complete the study, and print what was counted."""
    for _ in range(kills):
        campaign.kill()
    campaign.finish()
    campaign.tell()
    if campaign.seconds:
        most = max(campaign.seconds)
        print(f"seconds to the end of a Snakemake that was told to end: at most {most:.0f}")


def run_of(worker: psutil.Process) -> Path | None:
    """The run that a worker works on; None once it has ended."""
    try:
        return Path(*Path(worker.cwd()).parts[-6:])
    except psutil.Error:
        return None


def main() -> None:
    """Start a Slurm, and kill what it runs."""
    options = arguments(__doc__, kills=10)
    content = {**study(1, CASES, REPEATS), "machines": MACHINES}
    temporary = tempfile.TemporaryDirectory
    with temporary() as folder, temporary() as daemons, running(Path(daemons)) as slurm:
        carry_out(Campaign(Path(folder), options.seed, slurm, content), options.kills)


if __name__ == "__main__":
    main()
