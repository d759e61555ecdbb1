"""A measured run: lock the machine, execute until undisturbed, keep the best attempt, record it."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from trainmark.data import scratch
from trainmark.machine.disturbances import Limits
from trainmark.machine.file_locks import machine_lock
from trainmark.machine.gpu import Gpu, for_device
from trainmark.machine.idle_power import all_watts, idle_watts
from trainmark.machine.telemetry import to_csv
from trainmark.machine.waiting import wait_until_quiet
from trainmark.runs import kept_arrays, provenance
from trainmark.runs.files import write_json, write_text
from trainmark.runs.guard import Guard, Interrupted
from trainmark.runs.job import Task
from trainmark.runs.launch import launch, worker_environment
from trainmark.runs.nodes.others import Others
from trainmark.runs.nodes.places import Place
from trainmark.runs.record import Attempt, judge, record
from trainmark.runs.status.outcome import Outcome

RUNNER = Path(__file__).resolve().parents[2] / "worker" / "run.py"
REPEATED = ("ok", "timed_out")
FILE_PATTERNS = ("job.json", "worker*.log", "telemetry*.csv", "run.json")
"""Each other node of a run has a log and samples of its own."""

Say = Callable[[str], None]


class Patience(NamedTuple):
    """What is done to find the machine quiet."""

    attempts: int  # of one run
    wait_seconds: float  # at most, before each of them


def measure(
    task: Task,
    limits: Limits,
    patience: Patience,
    guard: Guard,
    say: Say,
    runner: Path = RUNNER,
    places: Sequence[Place] = (),
) -> None:
    """Execute a task's job in its environment and write the run's folder.

    A run that fails or hangs is a result like any other; `places` are its other nodes. Raises
    NotMeasured, StorageError; Interrupted, and leaves nothing behind, when the entered guard does.
    """
    job, lock, folder = task.job, task.lock, task.folder
    gpus = for_device(job["device"])
    interpreter = Path.cwd() / lock["interpreter"]  # not resolved: a venv lives by its link
    command = (interpreter, "-I", runner, "job.json")
    environment = worker_environment(interpreter, job["threads"], gpus, lock["variables"])
    log, timeout_seconds = folder / "worker.log", job["timeout_seconds"]
    numbers = itertools.count(1)

    def execute(others: Others) -> Attempt:
        idle = _idle_once_quiet(gpus, others, limits, patience, guard, say)
        with others.following() as start:
            known = environment | start.variables
            ended = launch(command, known, log, timeout_seconds, guard, gpus, start.files)
        attempt = judge(ended, log.read_bytes(), timeout_seconds, limits, others.ended)
        arrays = kept_arrays.of_attempt(folder, next(numbers))
        return attempt._replace(gpu_idle_watts=idle, arrays=arrays)

    # The machine is held until all is written or removed: where this run has been called off, its
    # successor may be waiting already. The guard lets a finished run be written whatever comes.
    with machine_lock(folder, guard.check, say), _nothing_if_called_off(folder):
        origin = _prepare(task, task.job["data"] if places else _data_here(task, guard))
        with Others.held(task, places, guard, say) as others:
            kept, attempts = until_quiet(partial(execute, others), patience.attempts, say)
            used = {"gpus": [gpu.describe() for gpu in gpus], "nodes": others.describe()}
        log.write_bytes(kept.printed)
        _write(record(kept, attempts, job, {**origin, **used}), kept, folder)


def _idle_once_quiet(
    gpus: Sequence[Gpu], others: Others, limits: Limits, patience: Patience, guard: Guard, say: Say
) -> float | None:
    """What all GPUs draw together, after a wait for all nodes to be quiet."""
    wait_until_quiet(limits.other_cpu, patience.wait_seconds, say, guard.check)
    others.wait_until_quiet(limits, patience.wait_seconds)
    return all_watts([idle_watts(gpus), *others.idle_watts()])


@contextmanager
def _nothing_if_called_off(folder: Path) -> Iterator[None]:
    try:
        yield
    except Interrupted:
        for path in files_of(folder):
            path.unlink()
        kept_arrays.remove(folder)
        raise


def files_of(folder: Path) -> list[Path]:
    """What is in a run's folder, but for arrays that it keeps."""
    return [path for pattern in FILE_PATTERNS for path in folder.glob(pattern)]


def leave_out(task: Task, left_out: Outcome) -> None:
    """Write the folder of a run that doesn't take place, and why."""
    origin = _prepare(task, task.job["data"])
    (task.folder / "worker.log").write_bytes(b"")
    nothing = Attempt(left_out)
    _write(record(nothing, 0, task.job, {**origin, "gpus": [], "nodes": []}), nothing, task.folder)


def until_quiet(execute: Callable[[], Attempt], attempts: int, say: Say) -> tuple[Attempt, int]:
    """Execute up to `attempts` times while others disturb; the best one, and how many it took.

    A timeout may come from the disturbance, so it is tried again; any other failure is final.
    """
    kept = attempt = execute()
    for count in range(1, attempts):
        if not kept.disturbances or attempt.outcome.status not in REPEATED:
            return kept, count
        say(f"attempt {count} of {attempts} was disturbed: {', '.join(attempt.disturbances)}")
        attempt = execute()
        kept = min(kept, attempt, key=_rank)
    return kept, attempts


def _data_here(task: Task, guard: Guard) -> str | None:
    """The index of the data set of a run on one node, or of its copy where there is to be one."""
    index: str | None = task.job["data"]
    if not (index and task.scratch):
        return index
    return str(scratch.copied(Path(index), task.scratch, guard.check))


def _prepare(task: Task, data: str | None) -> dict[str, Any]:
    """Make the run's folder with its job; gives the provenance known before the run.

    The worker reads its data set at `data`, maybe a copy of what the record of the run names.
    """
    task.folder.mkdir(parents=True, exist_ok=True)
    kept_arrays.remove(task.folder)  # an earlier run's, which may have kept its own
    write_json({**task.job, "data": data}, task.folder / "job.json")
    copy = data if data != task.job["data"] else None
    return {**provenance.origin(task.lock, task.code), "data_copy": copy}


def _write(content: Mapping[str, Any], kept: Attempt, folder: Path) -> None:
    """Write telemetry and arrays and then the record, which says that all is there."""
    write_text(to_csv(kept.samples), folder / "telemetry.csv")
    for number, samples in enumerate(kept.of_nodes, start=1):
        write_text(to_csv(samples), folder / f"telemetry-{number}.csv")
    arrays = kept.arrays if kept.outcome.status == "ok" else ()
    kept_arrays.keep(arrays, folder, content["job"])
    write_json(content, folder / "run.json")


def _rank(attempt: Attempt) -> tuple[bool, bool, float, int]:
    """Which of two attempts is the better one.

    By whether it is ok, whether it was undisturbed, the CPU that others took, and the number of its
    disturbances.
    """
    load = attempt.load
    return (
        attempt.outcome.status != "ok",
        bool(attempt.disturbances),
        load.other_cpu + load.steal if load else 0.0,
        len(attempt.disturbances),
    )
