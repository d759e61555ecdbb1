"""A measured run: lock its machines, execute until undisturbed, record the best attempt."""

import itertools
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from trainmark.data import scratch
from trainmark.files import sealed, write_json, write_text
from trainmark.machine import speed
from trainmark.machine.disturbances import Limits
from trainmark.machine.gpu import Gpu, for_device
from trainmark.machine.gpu.idle_power import all_watts, idle_watts
from trainmark.machine.telemetry import to_csv
from trainmark.machine.waiting import wait_until_quiet
from trainmark.runs import kept_arrays, provenance, records
from trainmark.runs.guard import Guard, Interrupted
from trainmark.runs.job import Task
from trainmark.runs.launch import launch, worker_command, worker_environment
from trainmark.runs.nodes.hosts import Host
from trainmark.runs.nodes.other_nodes import OtherNodes
from trainmark.runs.outcome import Outcome
from trainmark.runs.record import Attempt, judge, record
from trainmark.runs.unmeasured import NotMeasured
from trainmark.study import plugins

RUNNER = plugins.SCRIPTS / "worker" / "run.py"
REPEATED = ("ok", "timed_out")
FILE_PATTERNS = ("job.json", *records.BESIDE, records.RECORD)
"""Patterns of the files of a run; logs and samples of several nodes have numbers."""
MODEL = "model"
"""The folder in a run's folder in which the worker keeps the files of a runtime's model."""

Report = Callable[[str], None]


class Patience(NamedTuple):
    """How long a run waits for a quiet machine, and how often it is repeated on a busy one."""

    attempts: int  # at most, for one run
    wait_seconds: float  # at most, before each attempt


def measure(
    task: Task,
    limits: Limits,
    patience: Patience,
    guard: Guard,
    report: Report,
    runner: Path = RUNNER,
    hosts: Sequence[Host] = (),
) -> None:
    """Execute a task's job in its environment and write the run's folder.

    A run that fails or hangs is a result like any other. `hosts` are the hosts of the run's other
    nodes. Raises NotMeasured and StorageError; and Interrupted when the guard does, in which case
    no file of the run is left.
    """
    job, lock, folder = task.job, task.lock, task.folder
    gpus = for_device(job["device"])
    interpreter = Path.cwd() / lock["interpreter"]  # not resolved: a venv lives by its link
    command = worker_command(interpreter, runner)
    environment = worker_environment(interpreter, job["threads"], gpus, lock["variables"])
    log, timeout_seconds = folder / "worker.log", job["timeout_seconds"]
    numbers = itertools.count(1)

    def execute(others: OtherNodes) -> Attempt:
        idle = _idle_once_quiet(gpus, others, limits, patience, guard, report)
        host_speed = speed.of_all([speed.measured(job["threads"]), *others.speeds()])
        guard.check()  # a signal that ended the measurement of the speed as well
        with others.following() as start:
            variables = environment | start.variables
            ended = launch(command, variables, log, timeout_seconds, guard, gpus, start.files)
        attempt = judge(ended, log.read_bytes(), timeout_seconds, limits, others.ended)
        arrays = kept_arrays.of_attempt(folder, next(numbers))
        logs = {path: path.read_bytes() for path in folder.glob("worker*.log")}
        return attempt._replace(
            gpu_idle_watts=idle, host_speed=host_speed, arrays=arrays, logs=logs
        )

    # The machines stay locked until all files are written or removed: if this run is cancelled,
    # its successor may be waiting already. The guard always lets a finished run write its files.
    locked = OtherNodes.all_locked(task, hosts, guard, report)
    with locked as others, _nothing_if_cancelled(folder):
        origin = _prepare(task, task.job["data"] if hosts else _data_here(task, guard))
        used = {"gpus": [gpu.describe() for gpu in gpus], "nodes": others.describe()}
        kept, attempts = until_quiet(partial(execute, others), patience.attempts, report)
        for path, content in kept.logs.items():
            path.write_bytes(content)
        _write(record(kept, attempts, job, {**origin, **used}), kept, folder)


def _idle_once_quiet(
    gpus: Sequence[Gpu],
    others: OtherNodes,
    limits: Limits,
    patience: Patience,
    guard: Guard,
    report: Report,
) -> float | None:
    """Idle power of all GPUs in watts, after a wait for all nodes to be quiet."""
    wait_until_quiet(limits.other_cpu, patience.wait_seconds, report, guard.check)
    others.wait_until_quiet(limits, patience.wait_seconds)
    return all_watts([idle_watts(gpus), *others.idle_watts()])


@contextmanager
def _nothing_if_cancelled(folder: Path) -> Iterator[None]:
    try:
        yield
    except Interrupted:
        _remove(folder)
        raise


def _remove(folder: Path) -> None:
    """Remove the files of a run, the arrays and the model that it keeps."""
    for path in files_of(folder):
        path.unlink()
    shutil.rmtree(folder / MODEL, ignore_errors=True)
    kept_arrays.remove(folder)


def files_of(folder: Path) -> list[Path]:
    """The files in a run's folder, without the arrays that it keeps."""
    return [path for pattern in FILE_PATTERNS for path in folder.glob(pattern)]


def leave_out(task: Task, outcome: Outcome) -> None:
    """Write the folder of a run that isn't measured, with the reason."""
    origin = _prepare(task, task.job["data"])
    (task.folder / "worker.log").write_bytes(b"")
    # One line: the study's reason may have several.
    nothing = Attempt(outcome._replace(reason=" ".join(str(outcome.reason).split())))
    _write(record(nothing, 0, task.job, {**origin, "gpus": [], "nodes": []}), nothing, task.folder)


def until_quiet(
    execute: Callable[[], Attempt], attempts: int, report: Report
) -> tuple[Attempt, int]:
    """Execute up to `attempts` times, until undisturbed; returns the best attempt and the count.

    A timeout may come from the disturbance, so it is tried again; any other failure is final. An
    attempt that can't begin ends the attempts, where an earlier one was measured; else raises
    NotMeasured.
    """
    kept = attempt = execute()
    for count in range(1, attempts):
        if not kept.disturbances or attempt.outcome.status not in REPEATED:
            return kept, count
        if messages := ", ".join(attempt.disturbances):  # else it timed out
            report(f"attempt {count} of {attempts} was disturbed: {messages}")
        try:
            attempt = execute()
        except NotMeasured as error:
            if kept.outcome.status != "ok":
                raise
            report(f"attempt {count + 1} of {attempts} can't begin: {error}")
            return kept, count
        kept = min(kept, attempt, key=_rank)
    return kept, attempts


def _data_here(task: Task, guard: Guard) -> str | None:
    """The index of the data set of a run on one node, or of its copy in the scratch folder."""
    index: str | None = task.job["data"]
    if not (index and task.scratch):
        return index
    return str(scratch.copied(Path(index), task.scratch, guard.check))


def _prepare(task: Task, data: str | None) -> dict[str, Any]:
    """Make the run's folder with its job; returns the provenance that is known before the run.

    The worker reads its data set at `data`, which may be a copy of the data set in the record.
    """
    task.folder.mkdir(parents=True, exist_ok=True)
    _remove(task.folder)  # an earlier run, which may have had more nodes
    write_json({**task.job, "data": data}, task.folder / "job.json")
    copy = data if data != task.job["data"] else None
    return {**provenance.origin(task.lock, task.code, task.inputs), "data_copy": copy}


def _write(content: Mapping[str, Any], kept: Attempt, folder: Path) -> None:
    """Write telemetry and arrays, and last the record, which says that the run is complete."""
    write_text(to_csv(kept.samples), folder / "telemetry.csv")
    for number, samples in enumerate(kept.of_nodes, start=1):
        write_text(to_csv(samples), folder / f"telemetry-{number}.csv")
    arrays = kept.arrays if kept.outcome.status == "ok" else ()
    kept_arrays.keep(arrays, folder, content["job"])
    write_json(sealed({**content, "files": records.digests(folder)}), folder / records.RECORD)
    (folder / records.DAMAGED).unlink(missing_ok=True)


def _rank(attempt: Attempt) -> tuple[bool, bool, float, int]:
    """The sort key of an attempt, lowest for the best.

    Attempts are ordered by status (ok first), then undisturbed before disturbed, then by the CPU
    that others used, and then by the number of disturbances.
    """
    load = attempt.load
    return (
        attempt.outcome.status != "ok",
        bool(attempt.disturbances),
        load.other_cpu + load.steal if load else 0.0,
        len(attempt.disturbances),
    )
