"""Resource use of a run's processes, measured with real ones."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from trainmark.machine import processes
from trainmark.machine.processes import Descendants


def test_a_process_started_between_two_samples_is_in_the_second() -> None:
    family = Descendants()
    started = []
    try:
        for _ in range(3):
            started.append(subprocess.Popen(["sleep", "60"]))
            assert family.usage().pids == {process.pid for process in started}
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert family.usage().pids == set()


PARENT_OF_ONE_THAT_ENDS = """
import subprocess, sys
child = [sys.executable, "-S", "-c", sys.argv[1], sys.argv[2]]
print(subprocess.run(child, stdout=subprocess.PIPE).stdout.decode(), end="", flush=True)
sys.stdin.read()
"""
WRITES = """
import os, sys, time
with open("/dev/zero", "rb", buffering=0) as zeros, open(sys.argv[1], "wb") as file:
    while time.process_time() < 0.3:
        page = zeros.read(2**20)
    file.write(page)
    file.flush()
    os.fsync(file.fileno())
counters = dict(line.split() for line in open("/proc/self/io"))
print(os.times().system, counters["write_bytes:"])
"""


def test_what_a_process_that_ended_used_is_not_lost(tmp_path: Path) -> None:
    family = Descendants()
    command = [sys.executable, "-S", "-c", PARENT_OF_ONE_THAT_ENDS, WRITES, tmp_path / "file"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        assert process.stdout
        system_seconds, written_bytes = process.stdout.readline().split()
        used = family.usage()
        assert used.pids == {process.pid}
        assert used.cpu_seconds >= used.system_seconds >= float(system_seconds) > 0.1
        counted = family.disk_bytes(used.pids)
        assert counted and counted[1] >= int(written_bytes)
        process.communicate()
    assert family.usage().cpu_seconds >= used.cpu_seconds
    assert family.disk_bytes(set()) == counted


def test_what_another_users_process_reads_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int) -> tuple[int, int]:
        raise PermissionError

    family = Descendants()
    monkeypatch.setattr(processes, "disk_bytes", refuse)
    assert family.disk_bytes({os.getpid()}) is None
