"""A copy of the project with a tiny study of the numpy adapter, and its own snakemake."""

import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import yaml
from interrupts import can_be_interrupted
from waiting import PATIENCE_SECONDS, wait_for

ROOT = Path(__file__).parents[1]
CASE = {
    "network": "lenet",
    "dataset": "digits",
    "batch_size": 16,
    "warmup_steps": 1,
    "warmup_limit_seconds": 0,
    "steps": 4,
    "learning_rate": 0.01,
    "evaluate": False,
}
STUDY = {
    "study": "tiny",
    "protocol": 1,
    "repeats": 1,
    "seed": 1,
    "frameworks": ["numpy", "other"],
    "cases": {"first": CASE, "second": CASE},
    "machine": {
        "threads": 1,
        "patience": {"attempts": 1, "wait_seconds": 0},
        "interpreters": {"numpy": sys.executable, "other": sys.executable},
    },
}
TWICE = {**STUDY, "repeats": 2, "frameworks": ["numpy"]}
ONE = {**STUDY, "frameworks": ["numpy"], "cases": {"first": CASE}}
RUN = "results/tiny/runs/first/numpy/cpu/float32/train-dataset/r1"
"""The folder of the one run of ONE."""
KEPT = "measured before with the same settings, code and inputs: it is kept"
"""What a job says of a run that it needn't measure."""
MEASUREMENTS = "results/tiny/measurements.csv"


class Checkout:
    """A copy of the project with a second adapter, and the snakemake that works in it."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("workflow", "config", "profiles", "envs"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc"))
        shutil.copy(ROOT / "Snakefile", folder)
        frameworks = folder / "workflow/scripts/worker/frameworks"
        shutil.copytree(frameworks / "numpy", frameworks / "other")
        for file in (frameworks / "other").glob("*.py"):
            text = file.read_text(encoding="utf-8").replace("frameworks.numpy", "frameworks.other")
            text = text.replace('TITLE = "NumPy (reference)"', 'TITLE = "Other"')
            file.write_text(text, encoding="utf-8")
        self.adapter = frameworks / "other" / "adapter.py"
        for kind in ("yaml", "lock"):
            shutil.copy(folder / f"envs/numpy.{kind}", folder / f"envs/other.{kind}")
        # These runs measure nothing, so they needn't wait for whoever does.
        self.edit("trainmark/machine/file_locks.py", "/tmp/trainmark.lock", str(folder / "lock"))
        self.write(STUDY)

    def edit(self, script, old, new):
        """Replace text in a file below workflow/scripts."""
        path = self.folder / "workflow/scripts" / script
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def write(self, study, comment=""):
        (self.folder / "study.yaml").write_text(comment + yaml.safe_dump(study))

    def start(self, target=MEASUREMENTS, *options):
        command = [sys.executable, "-m", "snakemake", "--configfile", "study.yaml", *options]
        return subprocess.Popen(
            [*command, "--", target],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=can_be_interrupted,
        )

    def call(self, target=MEASUREMENTS, *options):
        """Call snakemake to its end, whichever it is; gives its exit status and what it printed."""
        process = self.start(target, *options)
        try:
            printed, _ = process.communicate()
        finally:
            if process.poll() is None:
                self.kill()
        return process.returncode, printed

    def snakemake(self, target=MEASUREMENTS, *options):
        """Call snakemake to its good end; gives what it printed and the runs that it trained."""
        before = self.runs()
        status, printed = self.call(target, *options)
        assert status == 0, printed
        after = self.runs()
        return printed, {run for run in after if after[run] != before.get(run)}

    def runs(self):
        """When each finished run was written."""
        runs = self.folder / "results/tiny/runs"
        return {
            "/".join(path.relative_to(runs).parts[:2]): path.stat().st_mtime_ns
            for path in runs.rglob("run.json")
        }

    def wait_for_warmup(self, run):
        """Wait until the worker of the run with this folder has warmed up."""
        log = self.folder / run / "worker.log"
        wait_for(lambda: log.exists() and b"warmup" in log.read_bytes())

    def kill(self):
        """Kill what works in this checkout, so that a test that failed leaves nothing."""
        processes = self.processes()
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(processes, timeout=PATIENCE_SECONDS)

    def processes(self, part=""):
        """Those that work in this checkout and have some text in their command."""
        processes = []
        for process in psutil.process_iter(["cmdline", "cwd", "status"]):
            inside = Path(process.info["cwd"] or "/").is_relative_to(self.folder)
            alive = process.info["status"] != psutil.STATUS_ZOMBIE
            if inside and alive and part in " ".join(process.info["cmdline"] or ()):
                processes.append(process)
        return processes
