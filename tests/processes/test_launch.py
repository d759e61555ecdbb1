"""Runs as they end in the world: real processes, one for each way to end."""

import json
from pathlib import Path

import pytest
from little_worker import CODE, JOB, LOCK, Run, alive, validate

from trainmark.runs.job import Task
from trainmark.runs.measure import leave_out
from trainmark.runs.outcome import Outcome


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
    assert set(record["host_speed"]) == {"gflops", "gigabytes_per_second"}
    assert min(record["host_speed"].values()) > 0
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


def test_a_worker_that_hangs_is_ended_with_the_phase_it_hung_in(run: Run) -> None:
    record = run(
        "emit('first_step', seconds=1); time.sleep(60)",
        timeout_seconds=2,
    )
    assert record["status"] == "timed_out"
    assert record["reason"] == "no end after 2 s: hung in the parity check"
    assert record["signal"] == "SIGTERM"


def test_a_worker_that_ignores_sigterm_is_killed(run: Run) -> None:
    record = run("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)", timeout_seconds=2)
    assert (record["status"], record["signal"]) == ("timed_out", "SIGKILL")


@pytest.mark.parametrize("ending", ["emit('end')", "time.sleep(60)"])
def test_a_worker_that_prints_too_much_is_ended(run: Run, tmp_path: Path, ending: str) -> None:
    record = run(
        f"""
        for _ in range(1024): print("x" * 2**20)
        {ending}
        """
    )
    assert record["status"] == "failed"
    assert record["reason"] == "printed more than 128 MiB"
    assert (tmp_path / "run" / "worker.log").stat().st_size == 2**20


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


@pytest.mark.parametrize("ending", ["time.sleep(60)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_shared_memory_of_a_worker_is_gone(run: Run, tmp_path: Path, ending: str) -> None:
    run(
        f"""
        from multiprocessing.shared_memory import SharedMemory
        block = SharedMemory(create=True, size=2**20)
        open("block", "w").write(block.name)
        {ending}
        """,
        timeout_seconds=2,
    )
    assert not Path("/dev/shm", (tmp_path / "run" / "block").read_text()).exists()


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
    cpu_seconds = [float(row.split(",")[3]) for row in rows]
    assert cpu_seconds == sorted(cpu_seconds)
    assert cpu_seconds[-1] >= 0.35


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


def test_an_environment_that_is_unavailable_is_reported_at_once(tmp_path: Path) -> None:
    reason = "no Python 3.6 here"
    lock = {**LOCK, "status": "unavailable", "reason": reason, "interpreter": None}
    leave_out(Task(JOB, lock, CODE, tmp_path), Outcome("unavailable", reason))
    record = json.loads((tmp_path / "run.json").read_text())
    validate(record)
    assert (record["status"], record["reason"]) == ("unavailable", reason)
    assert (tmp_path / "worker.log").read_text() == ""
    assert len((tmp_path / "telemetry.csv").read_text().splitlines()) == 1


def test_what_an_earlier_run_on_more_nodes_left_is_removed(tmp_path: Path) -> None:
    for name in ("worker-1.log", "telemetry-1.csv"):
        (tmp_path / name).touch()
    leave_out(Task(JOB, LOCK, CODE, tmp_path), Outcome("unsupported", "too slow"))
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"job.json", "run.json", "worker.log", "telemetry.csv"}
