"""Runs on two nodes: what is recorded of both, and what is left of them.

ssh is a stand-in that goes by another host name on this machine, where it has a lock of its own.
"""

import fcntl
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pandas as pd
import psutil
import pytest
from little_worker import CODE, JOB, LOCK, PRELUDE, Record, alive, validate
from machine_settings import ONCE, UNLIMITED
from waiting import wait_for

from trainmark.runs.guard import Guard, Interrupted
from trainmark.runs.job import Task
from trainmark.runs.measure import measure
from trainmark.runs.nodes.hosts import NoNodes, other_hosts
from trainmark.runs.nodes.node import NodeFailed
from trainmark.runs.nodes.other_nodes import OtherNodes
from trainmark.runs.nodes.watcher import NotShared, Watcher

TESTS = Path(__file__).parents[1]
SCRIPTS = TESTS.parent / "workflow" / "scripts"
HOST = "127.0.0.1"
SSH = """\
#!/bin/sh
while [ "${1#-}" != "$1" ]; do [ "$1" = -o ] && shift; shift; done
[ "$1" = nowhere ] && echo "ssh: Could not resolve hostname $1" >&2 && exit 255
cd /
exec unshare --map-root-user --mount --uts sh -c '
    hostname "$0"
    touch LOCK /tmp/trainmark.lock
    mount --bind LOCK /tmp/trainmark.lock
    exec sh -c "$1"' "$@"
"""
LEADER = f"""
sys.path[:0] = {[str(SCRIPTS), str(TESTS)]}
from little_adapter import LittleAdapter
from worker.ranks.leader import Leader
leader = Leader(2, LittleAdapter, (10,), print, 2)
json.dump(leader.gather("pid"), open("pids", "w"))
"""
WORKING = """
emit("window_start")
leader.gather("work", 1.0)
emit("window_end", steps=1, images=64, wait_seconds=0, step_end_seconds=[], losses=[])
emit("end")
"""
ENDLESS = """
emit("window_start")
try:
    while True: leader.gather("work", 0.1)
except Exception as error:
    emit("error", kind="failed", message=f"{type(error).__name__}: {error}")
    sys.exit(1)
"""
KILLER = """
import json, os, pathlib, psutil, signal, sys, time
folder = pathlib.Path(sys.argv[1])
log = folder / "worker.log"
while not (log.exists() and b"window_start" in log.read_bytes()): time.sleep(0.1)
os.kill({}, {})
"""
OTHER = 'json.loads((folder / "pids").read_text())[1]'
WATCHER = f"psutil.Process({OTHER}).ppid()"
Start = Callable[..., Record]


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in in place of ssh."""
    program = tmp_path / "programs" / "ssh"
    program.parent.mkdir()
    program.write_text(SSH.replace("LOCK", str(tmp_path / "lock-of-the-other")))
    program.chmod(0o755)
    done = subprocess.run([program, HOST, "hostname"], capture_output=True, text=True)
    if done.stdout != f"{HOST}\n":
        pytest.skip(f"needs namespaces of mounts and host names: {done.stderr.strip()}")
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)


@pytest.fixture
def measured(tmp_path: Path, own_lock: None, ssh: None) -> Start:
    """Measure a little worker on this node and another one; gives its valid run.json."""

    def measured(source: str, host: str = HOST, device: str = "cpu:2x1") -> Record:
        runner, folder = tmp_path / "worker.py", tmp_path / "run"
        runner.write_text(PRELUDE + LEADER + source)
        job = {**JOB, "device": device}
        with Guard() as guard:
            hosts = other_hosts(job["device"], {"nodes": [host]})
            task = Task(job, LOCK, CODE, folder)
            measure(task, UNLIMITED, ONCE, guard, print, runner, hosts)
        record: Record = json.loads((folder / "run.json").read_text())
        validate(record)
        return record

    return measured


def pids(tmp_path: Path) -> list[int]:
    path = tmp_path / "run" / "pids"
    numbers: list[int] = json.loads(path.read_text())
    return numbers


@contextmanager
def killer(tmp_path: Path, whom: str, number: str) -> Iterator[None]:
    """A process that sends a signal once both nodes work; none is left, even if they never do."""
    command = [sys.executable, "-c", KILLER.format(whom, number), tmp_path / "run"]
    with subprocess.Popen(command) as process:
        try:
            yield
        finally:
            process.kill()


def of_other_nodes() -> list[psutil.Process]:
    """Watchers and processes that follow, which haven't ended."""
    words = ("runs.nodes.watcher", "follow.py")
    return [
        each
        for each in psutil.Process().children(recursive=True)
        if each.status() != psutil.STATUS_ZOMBIE
        and any(word in " ".join(each.cmdline()) for word in words)
    ]


def is_held(lock: Path) -> bool:
    """Whether another open file has this lock."""
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_each_node_has_its_own_watcher_and_the_record_the_sums(
    measured: Start, tmp_path: Path
) -> None:
    record = measured(WORKING)
    assert (record["status"], record["reason"]) == ("ok", None)
    (other,) = record["provenance"]["nodes"]
    assert other["host"]["hostname"] == HOST
    assert record["provenance"]["host"]["hostname"] != HOST
    folder = tmp_path / "run"
    first, second, together = (
        pd.read_csv(folder / f"telemetry{end}.csv") for end in ("-1", "-2", "")
    )
    assert len(together) == len(first)
    assert set(together) == set(first) == set(second)
    window = record["window"]
    inside = second["time_seconds"].between(window["start_seconds"], window["end_seconds"])
    assert inside.sum() > 1
    memory = [each["own_memory_bytes"].max() for each in (first, second)]
    assert max(memory) < record["memory_peak_bytes"] <= sum(memory)
    assert (folder / "worker-2.log").exists()
    assert of_other_nodes() == []


def test_a_node_that_is_killed_is_reported_in_one_line_and_nothing_is_left(
    measured: Start, tmp_path: Path
) -> None:
    with killer(tmp_path, OTHER, "signal.SIGKILL"):
        record = measured(ENDLESS)
    assert record["status"] == "failed"
    assert record["reason"] == f"RankFailed: rank 1 on node 2 ({HOST}) ended"
    assert not any(alive(pid) for pid in pids(tmp_path))
    assert of_other_nodes() == []


def test_a_watcher_that_is_killed_is_reported_and_its_worker_ends(
    measured: Start, tmp_path: Path
) -> None:
    """By its own signal, or by the word of the shell that started it."""
    message = rf"^node 2 \({HOST}\) is lost: (ended by SIGKILL|Killed)$"
    with killer(tmp_path, WATCHER, "signal.SIGKILL"), pytest.raises(NodeFailed, match=message):
        measured(ENDLESS)
    wait_for(lambda: not any(alive(pid) for pid in pids(tmp_path)))
    assert of_other_nodes() == []


def test_a_run_that_is_called_off_leaves_nothing_on_any_node(
    measured: Start, tmp_path: Path
) -> None:
    with killer(tmp_path, "os.getppid()", "signal.SIGTERM"), pytest.raises(Interrupted):
        measured(ENDLESS)
    assert not any(alive(pid) for pid in pids(tmp_path))
    assert of_other_nodes() == []
    left = {path.name for path in (tmp_path / "run").iterdir()}
    assert left <= {"pids", ".lock"}


def test_a_node_that_cannot_be_reached_is_reported_in_one_line(measured: Start) -> None:
    message = r"^node 2 \(nowhere\) is lost: ssh: Could not resolve hostname nowhere$"
    with pytest.raises(NodeFailed, match=message):
        measured(WORKING, host="nowhere")
    assert of_other_nodes() == []


def test_a_node_that_lacks_gpus_is_reported_in_one_line(measured: Start) -> None:
    message = rf"^node 2 \({HOST}\): cuda:2x64 asks for 64 GPUs, and there .* here$"
    with pytest.raises(NoNodes, match=message):
        measured(WORKING, device="cuda:2x64")
    assert of_other_nodes() == []


@pytest.mark.parametrize(("host", "is_locked"), [("0", False), ("zzz", True)])
def test_machines_are_locked_in_the_order_of_their_names(
    tmp_path: Path, own_lock: None, ssh: None, host: str, is_locked: bool
) -> None:
    """Else two runs, each of which begins on the other's second node, would wait for ever."""
    was_locked = []

    def say(message: str) -> None:
        if message.startswith(f"node 2 ({host}): waiting for the machine"):
            was_locked.append(is_held(tmp_path / "lock"))
            others_lock.close()

    others_lock = (tmp_path / "lock-of-the-other").open("a")
    fcntl.flock(others_lock, fcntl.LOCK_EX)
    task = Task({**JOB, "device": "cpu:2x1"}, LOCK, CODE, tmp_path / "run")
    hosts = other_hosts("cpu:2x1", {"nodes": [host]})
    with Guard() as guard, OtherNodes.all_locked(task, hosts, guard, say):
        assert was_locked == [is_locked]


def test_a_node_without_the_folder_is_reported_in_one_line(tmp_path: Path) -> None:
    with Guard() as guard, ExitStack() as locks, pytest.raises(NotShared) as refusal:
        Watcher(guard, locks).lock(str(tmp_path / "elsewhere"), "cpu:2x1")
    message = f"it has no {tmp_path}/elsewhere: all nodes need the same folder"
    assert str(refusal.value) == message


def test_a_machine_is_no_node_twice(measured: Start) -> None:
    """It would wait for its own lock."""
    hostname = socket.gethostname()
    message = rf"^node 2 \({hostname}\) is {hostname}, which another node of the run is already$"
    with pytest.raises(NodeFailed, match=message):
        measured(WORKING, host=hostname)
