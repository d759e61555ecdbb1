"""Runs as they end in the world: real processes, one for each way to end."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from trainmark.train import locks
from trainmark.train.measure import Limits, leave_out, measure
from trainmark.train.processes import read

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "workflow" / "schemas"
PATIENT = Limits(other_cpu=1000.0, attempts=1)
LOCK = {
    "environment": "fake",
    "status": "available",
    "reason": None,
    "interpreter": sys.executable,
    "python": "3.11.7",
    "packages": {},
    "variables": {"FROM_THE_LOCK": "yes"},
}
JOB = {
    "study": "test",
    "case": "lenet-digits",
    "framework": "fake",
    "adapter": "fake",
    "environment": "fake",
    "device": "cpu",
    "precision": "float32",
    "stage": "train",
    "input_mode": "dataset",
    "repeat": 1,
    "protocol": 1,
    "network": "lenet",
    "dataset": "digits",
    "image_shape": [1, 28, 28],
    "classes": 10,
    "batch_size": 64,
    "steps": 10,
    "warmup_steps": 2,
    "learning_rate": 0.01,
    "momentum": 0.9,
    "weight_decay": 0.0,
    "seed": 1,
    "evaluate": False,
    "options": {},
    "threads": 1,
    "timeout_seconds": 20,
    "data": "/data/dataset.json",
    "reference": None,
}
PRELUDE = """
import json, os, resource, signal, subprocess, sys, time
def emit(event, **fields):
    fields.setdefault("time_seconds", time.monotonic())
    print("@trainmark " + json.dumps(dict(event=event, **fields)), flush=True)
emit("start", python="3", pid=os.getpid())
"""

Record = dict[str, Any]
Run = Callable[..., Record]


@pytest.fixture(autouse=True)
def own_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """These runs measure nothing, so they needn't wait for whoever does."""
    monkeypatch.setattr(locks, "MACHINE_LOCK", tmp_path / "lock")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Measure a little worker, given as source code, and return its valid run.json."""

    def run(source: str, limits: Limits = PATIENT, **settings: Any) -> Record:
        runner = tmp_path / "worker.py"
        runner.write_text(PRELUDE + textwrap.dedent(source))
        folder = tmp_path / "run"
        measure({**JOB, **settings}, LOCK, folder, limits, lambda line: None, runner)
        record: Record = json.loads((folder / "run.json").read_text())
        validate(record)
        return record

    return run


def validate(record: Record) -> None:
    job = json.loads((SCHEMAS / "job.schema.json").read_text())
    schema = json.loads((SCHEMAS / "run.schema.json").read_text())
    registry = Registry().with_resource("job.schema.json", Resource.from_contents(job))
    Draft202012Validator(schema, registry=registry).validate(record)


def alive(pid: int) -> bool:
    process = read(pid)
    return process is not None and process.state not in "ZX"


def wait_for(condition: Callable[[], Any], seconds: float = 10.0) -> Any:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain")


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


def test_a_disturbed_run_is_repeated_and_marked(run: Run) -> None:
    source = """
    start = time.monotonic()
    time.sleep(0.3)
    emit("window_start", time_seconds=start)
    emit("window_end", steps=1, images=64, wait_seconds=0, step_end_seconds=[], losses=[])
    emit("end")
    """
    busy = "import os\nos.fork()\nwhile True: pass"
    others = subprocess.Popen([sys.executable, "-c", busy], start_new_session=True)
    try:
        record = run(source, Limits(other_cpu=0.05, attempts=2))
    finally:
        os.killpg(others.pid, signal.SIGKILL)
        others.wait()
    assert (record["status"], record["disturbed"], record["attempts"]) == ("ok", True, 2)
    assert record["load"]["other_cpu"] > 0.05


def test_an_environment_that_cant_be_had_is_said_at_once(tmp_path: Path) -> None:
    reason = "no Python 3.6 here"
    lock = {**LOCK, "status": "unavailable", "reason": reason, "interpreter": None}
    leave_out(JOB, lock, tmp_path, "unavailable", reason)
    record = json.loads((tmp_path / "run.json").read_text())
    validate(record)
    assert (record["status"], record["reason"]) == ("unavailable", reason)
    assert (tmp_path / "worker.log").read_text() == ""
    assert len((tmp_path / "telemetry.csv").read_text().splitlines()) == 1


LAUNCHER = """
import json, sys
from pathlib import Path
from trainmark.errors import one_line_errors
from trainmark.train import locks
from trainmark.train.measure import Limits, measure
job, lock, folder, runner = json.loads(sys.argv[1])
locks.MACHINE_LOCK = Path(folder).with_name("lock")
with one_line_errors():
    measure(job, lock, Path(folder), Limits(1000, 1), print, Path(runner))
"""


def start_launcher(tmp_path: Path, wrapper: list[str]) -> subprocess.Popen[bytes]:
    """Start a run that hangs, in a launcher of its own behind a wrapping command."""
    runner = tmp_path / "worker.py"
    runner.write_text(PRELUDE + "open('pid', 'w').write(str(os.getpid()))\ntime.sleep(60)")
    arguments = json.dumps([JOB, LOCK, str(tmp_path / "run"), str(runner)])
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow" / "scripts")}
    command = [*wrapper, sys.executable, "-c", LAUNCHER, arguments]
    return subprocess.Popen(
        command,
        env=environment,
        start_new_session=True,
        stderr=subprocess.PIPE,
        # Tests started in the background come with SIGINT ignored, and would hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def worker_pid(tmp_path: Path) -> int:
    path = tmp_path / "run" / "pid"
    return int(wait_for(lambda: path.exists() and path.read_text()))


def left_behind(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "run").iterdir())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_launcher_ends_the_run_and_leaves_nothing(
    tmp_path: Path, number: signal.Signals
) -> None:
    launcher = start_launcher(tmp_path, [])
    worker = worker_pid(tmp_path)
    launcher.send_signal(number)
    _, errors = launcher.communicate(timeout=10)
    assert launcher.returncode == 1
    assert errors.decode() == f"trainmark: run ended by {number.name}\n"
    assert not alive(worker)
    assert left_behind(tmp_path) == ["pid"]


def test_the_worker_dies_with_a_killed_launcher(tmp_path: Path) -> None:
    launcher = start_launcher(tmp_path, [])
    worker = worker_pid(tmp_path)
    launcher.kill()
    launcher.communicate(timeout=10)
    wait_for(lambda: not alive(worker))
    assert not (tmp_path / "run" / "run.json").exists()


def test_a_killed_snakemake_takes_its_run_with_it(tmp_path: Path) -> None:
    snakemake = tmp_path / "snakemake"  # what counts is the command line
    snakemake.write_text("import subprocess, sys\nsubprocess.run(sys.argv[1:])\n")
    parent = start_launcher(tmp_path, [sys.executable, str(snakemake)])
    worker = worker_pid(tmp_path)
    parent.kill()
    parent.wait()
    wait_for(lambda: not alive(worker), seconds=5)
    wait_for(lambda: left_behind(tmp_path) == ["pid"], seconds=5)
