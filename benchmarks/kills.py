"""What random kills cost a study: runs lost or measured again, and processes left behind.

usage: python benchmarks/kills.py [--kills 100] [--seed 1]

A study of short runs of the numpy adapter is called again and again; at random moments SIGKILL,
SIGTERM or SIGINT hits Snakemake, its process group, a job or a worker. Of what was to end nothing
may be left two seconds after. cluster_kills.py does the like on a batch system.
"""

import os
import signal
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from killed_study import KilledStudy, arguments, command_line, runs_in, short
from workflow import study

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
PARTS = {"job": ".snakemake/scripts/", "worker": "worker/run.py"}
TARGETS = ("snakemake", "group", *PARTS)
CASES, REPEATS = 4, 4
SHORT = {"steps": 2, "warmup_steps": 1, "warmup_limit_seconds": 0}
STUDY_SECONDS, RUN_SECONDS, NOTING_SECONDS = 6.0, 1.5, 0.3  # within which a signal comes
ALLOWED_SECONDS = 2.0


class Campaign(KilledStudy):
    """A study on this machine."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.seconds: dict[str, list[float]] = {"jobs": [], "Snakemake": []}
        content = study(frameworks=1, cases=CASES, repeats=REPEATS)
        super().__init__(folder, seed, short(content, SHORT))

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
        self.wait_for(*moments[self.dice.choice(list(moments))])

    def part(self, target: str) -> psutil.Process | None:
        """A job or a worker, where one is asked for and there."""
        try:
            below = psutil.Process(self.snakemake.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return None
        return next((p for p in below if PARTS.get(target, "\0") in command_line(p)), None)

    def expect_end(self, victims: list[psutil.Process] | None, name: str) -> None:
        """Wait for the end of a part, or of Snakemake and all it started; kill what stays."""
        start = time.monotonic()
        while self.below(victims) and time.monotonic() < start + ALLOWED_SECONDS:
            time.sleep(0.02)
        self.seconds["jobs"].append(time.monotonic() - start)
        for process in self.below(victims):
            self.seen["jobs left behind"] += 1
            print(f"left behind by {name}: {command_line(process)}", flush=True)
            process.kill()
        if victims is None:
            self.snakemake.wait()
            self.seconds["Snakemake"].append(time.monotonic() - start)

    def below(self, victims: list[psutil.Process] | None) -> list[psutil.Process]:
        """Those of some processes, or else of all in the checkout but Snakemake, that run."""
        if victims is None:
            return self.processes()
        return [process for process in victims if runs_in(process, self.folder)]

    def finish(self) -> None:
        """Complete the last study, and count what was kept though Snakemake had not noted it."""
        super().finish()
        printed = (self.folder / "printed.log").read_text()
        self.seen["finished runs that Snakemake had not noted, kept"] = printed.count("is kept")


def main() -> None:
    """Kill, look, and print what was counted."""
    options = arguments(__doc__, kills=100)
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder), options.seed)
        for _ in range(options.kills):
            campaign.kill()
        campaign.finish()
    campaign.tell()
    for whose, seconds in campaign.seconds.items():
        middle, most = statistics.median(seconds), max(seconds)
        print(f"seconds to the end of {whose}: median {middle:.2f}, most {most:.2f}")


if __name__ == "__main__":
    main()
