"""One training process of a benchmark: its speed, and how much others disturbed it."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from interpreters import Interpreter
from places import RIVALS, ROOT, SCRIPTS
from rivals.tasks import CLASSES, GENERATED, LEARNING_RATE, MOMENTUM, TASKS, VOCABULARY

from trainmark.machine.gpu import for_device
from trainmark.runs import events
from trainmark.runs.launch import worker_environment
from trainmark.study import plan
from worker import job as jobs
from worker import networks
from worker.job import Job

ENVIRONMENTS = ROOT / "envs"
OPTIMISER = {"learning_rate": LEARNING_RATE, "momentum": MOMENTUM}


class Speed(NamedTuple):
    """Images/s, and the cores that other processes kept busy meanwhile."""

    images_per_second: float
    others: float


class Machine(NamedTuple):
    """What of a machine a framework trains on."""

    device: str
    threads: int


def ours(interpreter: Interpreter, job: Job) -> Speed:
    """The window of a real run of a job."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "job.json")
        path.write_text(json.dumps(job._asdict()))
        command = [interpreter.python, "-I", SCRIPTS / "worker" / "run.py", path]
        printed, others = _run(command, interpreter, job)
    log = events.parse(printed)
    start, end = events.last(log, "window_start"), events.last(log, "window_end")
    assert start and end
    return Speed(end["images"] / (end["time_seconds"] - start["time_seconds"]), others)


def in_turns(interpreter: Interpreter, jobs: Sequence[Job], rounds: int) -> list[list[float]]:
    """Run jobs one after the other, again and again: each one's images/s, round by round."""
    speeds = [[ours(interpreter, job).images_per_second for job in jobs] for _ in range(rounds)]
    return [list(side) for side in zip(*speeds, strict=True)]


def plain(interpreter: Interpreter, framework: str, job: Job) -> Speed:
    """The plain loop of a framework, for the network, the device and the stage of a job."""
    arguments = (str(job.threads), job.network, job.device, job.stage)
    command = [interpreter.python, RIVALS / f"plain_{framework}.py", *arguments]
    printed, others = _run(command, interpreter, job)
    return Speed(json.loads(printed.splitlines()[-1])["speed"], others)


def job_of(
    framework: str,
    network: str,
    machine: Machine,
    stage: str = "train",
    **changes: float,
) -> Job:
    """The job of a network on one batch that lies on the device: a study of it alone, planned."""
    task = TASKS[network]
    shape = "x".join(map(str, task.image_shape))
    classes = VOCABULARY if networks.is_language_model(network) else CLASSES
    generates = stage == "generate"
    case = {
        "network": network,
        "dataset": f"synthetic-{shape}-{classes}",
        **({"pixels": {"mean": "none"}} if networks.reads_text(network) else {}),
        "batch_size": task.batch_size,
        "steps": GENERATED if generates else task.steps,
        "window_seconds": 10 if generates else 0,
        "warmup_steps": task.warmup_steps,
        "warmup_seconds": 0,
        "warmup_limit_seconds": 0,
        **(OPTIMISER if stage == "train" else {}),
        "evaluate": False,
        **changes,
    }
    study = {
        "study": "benchmark",
        "protocol": 1,
        "repeats": 1,
        "seed": 1,
        "frameworks": [framework],
        "cases": {network: case},
        "devices": [machine.device],
        "stages": [stage],
        "input_modes": ["synthetic"],
    }
    [run] = plan.make(study, ENVIRONMENTS).runs.values()
    here: dict[str, Any] = {
        "threads": machine.threads,
        "timeout_seconds": 900,
        "data": None,
        "reference": None,
        "trained": None,
        "attacked": None,
        "attacker": None,
    }
    return jobs.of({**run.settings, **here})


def add_machine(parser: argparse.ArgumentParser) -> None:
    """The arguments that name what of the machine is trained on."""
    parser.add_argument("--device", default="cpu", help="cpu or cuda:1")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))


def _run(command: list[Any], interpreter: Interpreter, job: Job) -> tuple[str, float]:
    """Run a process as a run's is; what it printed, and the cores that others used meanwhile."""
    python, gpus = Path(interpreter.python), for_device(job.device)
    before, clock = _busy_seconds()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=worker_environment(python, job.threads, gpus, interpreter.variables),
            text=True,
        )
        assert process.stdout
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            ends = f"{printed[-2000:]}\n{errors.read()[-2000:]}"
            sys.exit(f"failed: {' '.join(map(str, command))}\n{ends}")
    after, now = _busy_seconds()
    return printed, (after - before - usage.ru_utime - usage.ru_stime) / (now - clock)


def _busy_seconds() -> tuple[float, float]:
    """CPU seconds of the whole machine, and the time they were read at, since boot."""
    user, nice, system, _idle, _wait, irq, soft = map(
        int, Path("/proc/stat").read_text().split()[1:8]
    )
    uptime = float(Path("/proc/uptime").read_text().split()[0])
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK"), uptime
