"""A disk that fills up at any moment of a study: one line, and nothing finished is lost.

The disk is in memory; only the processes that a test starts on it see it.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from small_checkout import CASE, TWICE, Checkout
from waiting import wait_for

STUDY = {**TWICE, "cases": {"first": CASE}}
MEGABYTES = 200
BLOCK_BYTES = 4096
RUN = "results/tiny/runs/first/numpy/cpu/float32/train-dataset"
PACKED = "results/tiny/tiny.zip"
BEGUN = {
    "reference": "results/logs/reference/*",
    "first run": f"{RUN}/r1/job.json",
    "second run": f"{RUN}/r2/worker.log",
    "measurements": "results/tiny/events.jsonl",
    "packing": "results/tiny/measurements.parquet",
}
"""Files that show that a step of the study has begun."""
MOMENTS = [
    pytest.param(begun, id=step, marks=[] if step == "first run" else [pytest.mark.whole])
    for step, begun in BEGUN.items()
]
USER = [] if os.geteuid() == 0 else ["--map-root-user"]
HOLD = f'mount -t tmpfs -o size={MEGABYTES}M tmpfs "$1" && echo mounted && exec sleep infinity'


class Disk:
    """A little disk, mounted at a folder for its own processes alone."""

    def __init__(self, folder):
        self.folder = folder
        unshare = ["unshare", *USER, "--mount", "sh", "-c", HOLD, "sh", str(folder)]
        self._holder = subprocess.Popen(unshare, stdout=subprocess.PIPE, text=True)
        if not self._holder.stdout.readline():
            pytest.skip("no file system may be mounted here")
        self.inside = Path(f"/proc/{self._holder.pid}/root{folder}")

    def start(self, *command):
        """Start a command on the disk."""
        user = ["--user", "--preserve-credentials"] if USER else []
        enter = ["nsenter", "--target", str(self._holder.pid), "--mount", *user]
        return subprocess.Popen(
            [*enter, "sh", "-c", 'cd "$0" && exec "$@"', str(self.folder), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def fill(self):
        with (self.inside / "filling").open("wb") as file, suppress(OSError):
            for start in range(0, MEGABYTES * 2**20, BLOCK_BYTES):
                os.posix_fallocate(file.fileno(), start, BLOCK_BYTES)

    def empty(self):
        (self.inside / "filling").unlink()

    def remove(self):
        """End all processes that see the disk; it is gone with the last of them."""
        namespace = self._namespace(self._holder.pid)
        for process in psutil.process_iter():
            with suppress(OSError, psutil.NoSuchProcess):
                if self._namespace(process.pid) == namespace:
                    process.kill()
        self._holder.communicate()

    def _namespace(self, pid):
        return Path(f"/proc/{pid}/ns/mnt").readlink()


@pytest.fixture
def disk(tmp_path):
    disk = Disk(tmp_path)
    try:
        Checkout(disk.inside).write(STUDY)
        yield disk
    finally:
        disk.remove()


def start(disk):
    command = [sys.executable, "-m", "snakemake", "--configfile", "study.yaml", "--", "pack"]
    return disk.start(*command)


def finished(disk):
    return {path: path.stat().st_mtime_ns for path in disk.inside.glob(f"{RUN}/*/run.json")}


@pytest.mark.parametrize("begun", MOMENTS)
def test_a_disk_that_fills_up_is_named_and_the_study_goes_on_with_space(disk, begun):
    study = start(disk)
    wait_for(lambda: list(disk.inside.glob(begun)), study, every_seconds=0.002)
    disk.fill()
    printed, _ = study.communicate()
    assert study.returncode == 1, printed
    assert "No space left" in printed or "MB free" in printed or "disk is full" in printed
    assert "Traceback" not in printed and "File " not in printed, printed
    kept = finished(disk)
    disk.empty()
    again = start(disk)
    printed, _ = again.communicate()
    assert again.returncode == 0, printed
    assert (disk.inside / PACKED).exists()
    assert finished(disk).items() >= kept.items()


def test_on_a_full_disk_nothing_begins(disk):
    disk.fill()
    printed, _ = start(disk).communicate()
    *_, line = printed.splitlines()
    assert line == (
        f"trainmark: the disk of {disk.folder} has 0 MB free, and a job needs 67: free some space"
    )
