"""Starting a worker, sampling until it ends, and ending all of its processes."""

import ctypes
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from trainmark.environments.library_path import LIBRARY_PATH
from trainmark.machine import gpu
from trainmark.machine.out_of_memory import kill_counts, kills
from trainmark.machine.processes import Descendants, send
from trainmark.machine.processor import Rapl
from trainmark.machine.telemetry import Sample, Sampler
from trainmark.machine.thread_variables import THREAD_VARIABLES
from trainmark.parent import end_with
from trainmark.runs.guard import SIGNALS, Guard
from trainmark.runs.outcome import LONGEST_LOG_BYTES
from trainmark.runs.unmeasured import NotMeasured

GRACE_SECONDS = 2.0
LAST_SECONDS = 5.0  # for the kernel to end processes after SIGKILL
KEPT_LOG_BYTES = 2**20  # of a log that became longer
SIGNAL_SECONDS = 0.5  # for a signal that ended the worker to reach this process as well

PR_SET_CHILD_SUBREAPER = 36

_libc = ctypes.CDLL(None, use_errno=True)


class Exit(NamedTuple):
    """How a worker ended, and the samples from its run."""

    exit_code: int | None
    signal: int | None
    timed_out: bool
    oom_kills: int
    wall_seconds: float
    samples: list[Sample]
    printed_too_much: bool = False


class CannotStart(NotMeasured):
    """An interpreter that worked when its environment was made, but no longer starts."""


def worker_command(interpreter: Path, runner: Path) -> tuple[str | Path, ...]:
    """The command that starts a worker in its folder; -I: nothing of the user's Python is read."""
    return interpreter, "-I", runner, "job.json"


def worker_environment(
    interpreter: Path, threads: int, gpus: Sequence[gpu.Gpu], variables: Mapping[str, str]
) -> dict[str, str]:
    """Environment variables of a worker; only PATH, HOME and TMPDIR come from the user's shell."""
    path = os.environ.get("PATH", os.defpath)
    inherited = {name: os.environ[name] for name in ("HOME", "TMPDIR") if name in os.environ}
    return {
        **inherited,
        "PATH": f"{interpreter.parent}{os.pathsep}{path}",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        **dict.fromkeys(THREAD_VARIABLES, str(threads)),
        **gpu.worker_variables(gpus),
        **variables,
        **(_driver_path(gpus, variables) if gpus else {}),
    }


def _driver_path(gpus: Sequence[gpu.Gpu], variables: Mapping[str, str]) -> dict[str, str]:
    """LD_LIBRARY_PATH, with the folders of the user's one that hold a GPU driver at its end.

    Containers and WSL provide the driver through that variable. The user's other folders are left
    out: they would come before the libraries that a framework brings along.
    """
    folders = os.environ.get(LIBRARY_PATH, "").split(os.pathsep)
    drivers = {gpu.vendor(each.kind).DRIVER for each in gpus}
    with_driver = [
        folder
        for folder in folders
        if folder and any(Path(folder, driver).exists() for driver in drivers)
    ]
    path = os.pathsep.join([*filter(None, [variables.get(LIBRARY_PATH)]), *with_driver])
    return {LIBRARY_PATH: path} if path else {}


def launch(
    command: Sequence[str | Path],
    environment: Mapping[str, str],
    log: Path,
    timeout_seconds: float,
    guard: Guard,
    gpus: Sequence[gpu.Gpu] = (),
    files: Sequence[int] = (),
) -> Exit:
    """Run a command in the folder of its log to its end or its timeout, sampling meanwhile.

    The command inherits the open `files` under their numbers. It is ended where it prints more than
    LONGEST_LOG_BYTES, of which the log keeps the beginning. Raises Interrupted when the guard does.
    In every case, none of the command's processes is left.
    """
    oom_before = kill_counts()
    with _adopt_orphans(), log.open("wb") as output:
        descendants = Descendants()
        sampler = Sampler(descendants, gpus, Rapl.find())
        sampler.take()
        start = time.monotonic()
        worker = _start(command, environment, output.fileno(), log.parent, files)
        with _handle(worker) as process:
            try:
                ended = _watch(process, sampler, guard, start + timeout_seconds, output.fileno())
                sampler.take()
            finally:
                wall_seconds = time.monotonic() - start
                _end(worker, descendants)
        printed_too_much = _is_too_long(output.fileno())
        if printed_too_much:
            output.truncate(KEPT_LOG_BYTES)
    code = worker.returncode
    if ended and not printed_too_much and -code in SIGNALS:
        # Batch systems signal all processes of a job, in any order.
        guard.wait(SIGNAL_SECONDS)
    return Exit(
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        timed_out=not ended,
        oom_kills=kills(oom_before, kill_counts()),
        wall_seconds=wall_seconds,
        samples=sampler.samples,
        printed_too_much=printed_too_much,
    )


def _start(
    command: Sequence[str | Path],
    environment: Mapping[str, str],
    output: int,
    folder: Path,
    files: Sequence[int],
) -> subprocess.Popen[bytes]:
    launcher = os.getpid()

    try:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=files,
            # Safe, as this process has one thread.
            preexec_fn=lambda: end_with(launcher, signal.SIGKILL),
        )
    except OSError as error:
        raise CannotStart(f"{command[0]} doesn't start: {error.strerror}") from error


@contextmanager
def _handle(worker: subprocess.Popen[bytes]) -> Iterator[int]:
    """A file descriptor that becomes readable when the worker ends (pidfd_open(2), Linux 5.3)."""
    process = os.pidfd_open(worker.pid)
    try:
        yield process
    finally:
        os.close(process)


def _watch(process: int, sampler: Sampler, guard: Guard, deadline: float, log: int) -> bool:
    """Sample until the worker ends or has printed too much; returns False at the deadline."""
    while time.monotonic() < deadline:
        if _ends_within(process, min(sampler.seconds_to_next(), deadline - time.monotonic())):
            return True
        guard.check()
        sampler.take()
        if _is_too_long(log):
            return True
    return False


def _is_too_long(log: int) -> bool:
    return os.fstat(log).st_size > LONGEST_LOG_BYTES


def _end(worker: subprocess.Popen[bytes], descendants: Descendants) -> None:
    """End the worker, its group, and descendants outside the group: by SIGTERM, then by SIGKILL.

    Processes that the worker started may end after it, and clean up. The worker is waited for
    last, so that its pid can't become another group's before.
    """
    send(worker.pid, signal.SIGTERM, group=True)
    _repeat(lambda: bool(descendants.running()), GRACE_SECONDS)
    send(worker.pid, signal.SIGKILL, group=True)
    _repeat(descendants.kill, LAST_SECONDS)
    worker.wait()
    descendants.reap()


def _repeat(act: Callable[[], bool], seconds: float) -> None:
    """Call `act` until it returns False, or the time is over."""
    deadline = time.monotonic() + seconds
    while act() and time.monotonic() < deadline:
        time.sleep(0.01)


def _ends_within(process: int, seconds: float) -> bool:
    return bool(select.select([process], [], [], max(0.0, seconds))[0])


@contextmanager
def _adopt_orphans() -> Iterator[None]:
    """Become the parent of descendants whose own parent ends, so that all can be found."""
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 0)
