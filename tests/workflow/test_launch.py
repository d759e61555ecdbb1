"""Runs as they end in the world: real processes, one for each way to end."""

import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from little_worker import JOB, LOCK, PRELUDE, alive
from referencing import Registry, Resource

from trainmark.train import locks
from trainmark.train.measure import Patience, leave_out, measure
from trainmark.train.patience import wait_until_quiet
from trainmark.train.quiet import Limits

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "workflow" / "schemas"
UNLIMITED, ONCE = Limits(other_cpu=1000.0), Patience(attempts=1, wait_seconds=0)
# What the hypervisor or the disk does in these seconds is not what is tested.
ONLY_OTHERS = Limits(other_cpu=0.5, steal=1000.0, swapped_mebibytes=1e6)
Record = dict[str, Any]
Run = Callable[..., Record]


@pytest.fixture(autouse=True)
def own_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """These runs measure nothing, so they needn't wait for whoever does."""
    monkeypatch.setattr(locks, "MACHINE_LOCK", tmp_path / "lock")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Measure a little worker, given as source code, and return its valid run.json."""

    def run(
        source: str,
        limits: Limits = UNLIMITED,
        patience: Patience = ONCE,
        say: Callable[[str], None] = lambda line: None,
        **settings: Any,
    ) -> Record:
        runner = tmp_path / "worker.py"
        runner.write_text(PRELUDE + textwrap.dedent(source))
        folder = tmp_path / "run"
        job = {**JOB, **settings}
        measure(job, LOCK, folder, limits, patience, say, runner)
        record: Record = json.loads((folder / "run.json").read_text())
        validate(record)
        return record

    return run


def validate(record: Record) -> None:
    job = json.loads((SCHEMAS / "job.schema.json").read_text())
    schema = json.loads((SCHEMAS / "run.schema.json").read_text())
    registry = Registry().with_resource("job.schema.json", Resource.from_contents(job))
    Draft202012Validator(schema, registry=registry).validate(record)


def test_a_run_that_ends_well_has_its_window_load_and_telemetry(run: Run, tmp_path: Path) -> None:
    record = run(
        """
        start = time.monotonic()
        while time.monotonic() < start + 0.5: pass
        emit("window_start", time_seconds=start)
        emit("window_end", steps=1, images=64, wait_seconds=0, step_end_seconds=[], losses=[])
        emit("end")
        """
    )
    assert (record["status"], record["reason"], record["exit_code"]) == ("ok", None, 0)
    window = record["window"]
    assert window["end_seconds"] - window["start_seconds"] >= 0.5
    assert 0 < record["load"]["own_cpu"] < 1.3
    assert record["memory_peak_bytes"] > 2**20
    header, *rows = (tmp_path / "run" / "telemetry.csv").read_text().splitlines()
    assert header.startswith("time_seconds,cpu_busy_seconds,cpu_steal_seconds,own_cpu_seconds")
    times = [float(row.split(",")[0]) for row in rows]
    assert times[0] < window["start_seconds"] < window["end_seconds"] <= times[-1]


@pytest.mark.parametrize(
    ("source", "status", "reason"),
    [
        ("raise ValueError('labels are wrong')", "failed", "ValueError: labels are wrong"),
        ("sys.exit(7)", "failed", "exit code 7 in the import of the framework"),
        ("os._exit(0)", "failed", "without an end event"),
        ("import no_such_framework", "failed", "missing library: no_such_framework"),
        ("import ctypes; ctypes.CDLL('libnone.so.1')", "failed", "missing library: libnone.so.1"),
        ("import ctypes; ctypes.string_at(0)", "failed", "segmentation fault (SIGSEGV)"),
        ("os.abort()", "failed", "aborted (SIGABRT)"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "failed", "killed (SIGKILL)"),
        (
            "resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29)); bytearray(2**30)",
            "out_of_memory",
            "MemoryError",
        ),
        (
            "emit('error', kind='unsupported', message='no float16 on cpu'); sys.exit(3)",
            "unsupported",
            "no float16 on cpu",
        ),
        (
            "emit('error', kind='parity', message='logits off by 2.0e-02'); sys.exit(4)",
            "failed",
            "parity: logits off by 2.0e-02",
        ),
    ],
)
def test_every_way_to_fail_has_its_own_status_and_reason(
    run: Run, source: str, status: str, reason: str
) -> None:
    record = run(source)
    assert record["status"] == status
    assert reason in record["reason"]


@pytest.fixture
def small_cgroup() -> Iterator[Path]:
    """A cgroup of 64 MiB that a process may enter."""
    parent = Path("/sys/fs/cgroup/memory")
    limit = "memory.limit_in_bytes"
    if not parent.exists():
        parent, limit = parent.parent, "memory.max"
    folder = parent / f"trainmark-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as error:
        pytest.skip(f"needs leave to make a cgroup: {error}")
    try:
        (folder / limit).write_text(str(2**26))
        yield folder
    except OSError as error:
        pytest.skip(f"needs the memory controller of cgroups: {error}")
    finally:
        folder.rmdir()


def test_the_kernel_killing_for_want_of_memory(run: Run, small_cgroup: Path) -> None:
    record = run(
        f"""
        open("{small_cgroup}/cgroup.procs", "w").write(str(os.getpid()))
        b"x" * 2**28
        """
    )
    assert (record["status"], record["signal"]) == ("out_of_memory", "SIGKILL")
    assert record["reason"].startswith("killed by the kernel for want of memory in ")


def test_a_worker_that_hangs_is_ended_with_the_phase_it_hung_in(run: Run) -> None:
    record = run(
        "emit('first_step', seconds=1); time.sleep(60)",
        timeout_seconds=0.5,
    )
    assert record["status"] == "timed_out"
    assert record["reason"] == "no end after 0.5 s: hung in the parity check or warm-up"
    assert record["signal"] == "SIGTERM"


def test_a_worker_deaf_to_sigterm_is_killed(run: Run) -> None:
    record = run("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)", timeout_seconds=2)
    assert (record["status"], record["signal"]) == ("timed_out", "SIGKILL")


@pytest.mark.parametrize("ending", ["emit('end')", "time.sleep(60)"])
def test_no_process_of_a_run_survives_it(run: Run, tmp_path: Path, ending: str) -> None:
    """Not even a daemon: a grandchild in a session of its own whose parent has ended."""
    record = run(
        f"""
        daemon = "import os, time; os.fork() and os._exit(0); os.setsid(); time.sleep(0.05)"
        daemon += "; open('daemon.pid', 'w').write(str(os.getpid())); time.sleep(60)"
        subprocess.Popen([sys.executable, "-c", daemon]).wait()
        while not os.path.exists("daemon.pid") or not open("daemon.pid").read(): time.sleep(0.01)
        {ending}
        """,
        timeout_seconds=2,
    )
    assert record["status"] == ("ok" if "end" in ending else "timed_out")
    assert not alive(int((tmp_path / "run" / "daemon.pid").read_text()))


@pytest.mark.parametrize("ending", ["emit('end')", "time.sleep(60)"])
def test_what_a_worker_started_may_clean_up_behind_it(
    run: Run, tmp_path: Path, ending: str
) -> None:
    run(
        f"""
        helper = "import signal, time; signal.signal(signal.SIGTERM, lambda *_: None)"
        helper += "; open('ready', 'w'); signal.pause(); time.sleep(0.3); open('cleaned', 'w')"
        subprocess.Popen([sys.executable, "-c", helper])
        while not os.path.exists("ready"): time.sleep(0.01)
        {ending}
        """,
        timeout_seconds=2,
    )
    assert (tmp_path / "run" / "cleaned").exists()


def test_the_cpu_time_of_ended_children_counts(run: Run, tmp_path: Path) -> None:
    run(
        """
        busy = "import time\\nwhile time.process_time() < 0.4: pass"
        subprocess.run([sys.executable, "-c", busy])
        time.sleep(0.2)
        emit("end")
        """
    )
    rows = (tmp_path / "run" / "telemetry.csv").read_text().splitlines()[1:]
    own = [float(row.split(",")[3]) for row in rows]
    assert own == sorted(own)
    assert own[-1] >= 0.35


def test_the_worker_sees_nothing_of_the_users_shell(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("OMP_NUM_THREADS", "64")
    run("open('seen.json', 'w').write(json.dumps(dict(os.environ))); emit('end')", threads=3)
    seen = json.loads((tmp_path / "run" / "seen.json").read_text())
    assert "PYTHONPATH" not in seen
    assert seen["OMP_NUM_THREADS"] == seen["OPENBLAS_NUM_THREADS"] == "3"
    assert seen["CUDA_VISIBLE_DEVICES"] == ""
    assert seen["FROM_THE_LOCK"] == "yes"


@contextmanager
def burning_a_core() -> Iterator[subprocess.Popen[bytes]]:
    """Another process, none of the run's, that keeps a core busy."""
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
    try:
        yield other
    finally:
        other.kill()
        other.wait()


WINDOW_OF_HALF_A_SECOND = """
start = time.monotonic()
time.sleep(0.5)
emit("window_start", time_seconds=start)
emit("window_end", steps=1, images=64, wait_seconds=0, step_end_seconds=[], losses=[])
emit("end")
"""


def test_a_run_that_is_never_quiet_is_repeated_and_marked(run: Run) -> None:
    with burning_a_core():
        record = run(WINDOW_OF_HALF_A_SECOND, Limits(), Patience(attempts=2, wait_seconds=0))
    assert (record["status"], record["disturbed"], record["attempts"]) == ("ok", True, 2)
    assert record["load"]["other_cpu"] > 0.5
    assert "cores used by others" in record["disturbances"][0]


def test_a_run_disturbed_once_is_repeated_and_its_quiet_attempt_kept(run: Run) -> None:
    with burning_a_core() as other:
        record = run(
            WINDOW_OF_HALF_A_SECOND,
            ONLY_OTHERS,
            Patience(attempts=3, wait_seconds=0),
            say=lambda line: other.kill(),  # of the first attempt, that it was disturbed
        )
    assert (record["status"], record["disturbed"], record["attempts"]) == ("ok", False, 2)
    assert record["load"]["other_cpu"] < 0.5


def test_a_quiet_machine_is_waited_for(run: Run) -> None:
    said: list[str] = []
    with burning_a_core() as other:

        def say(line: str) -> None:
            said.append(line)
            other.kill()

        record = run(
            WINDOW_OF_HALF_A_SECOND,
            ONLY_OTHERS,
            Patience(attempts=1, wait_seconds=30),
            say=say,
        )
    assert re.fullmatch(r"waiting for a quiet machine: others use \d\.\d\d cores", *said)
    assert not record["disturbed"]


def test_waiting_has_an_end() -> None:
    with burning_a_core():
        waited = wait_until_quiet(0.5, 1.0, lambda line: None, lambda: None)
    assert 1.0 <= waited < 5.0


def test_an_environment_that_cant_be_had_is_said_at_once(tmp_path: Path) -> None:
    reason = "no Python 3.6 here"
    lock = {**LOCK, "status": "unavailable", "reason": reason, "interpreter": None}
    leave_out(JOB, lock, tmp_path, "unavailable", reason)
    record = json.loads((tmp_path / "run.json").read_text())
    validate(record)
    assert (record["status"], record["reason"]) == ("unavailable", reason)
    assert (tmp_path / "worker.log").read_text() == ""
    assert len((tmp_path / "telemetry.csv").read_text().splitlines()) == 1
