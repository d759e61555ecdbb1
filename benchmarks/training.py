"""One training process of a benchmark: its speed, and how much others disturbed it."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from interpreters import REPOSITORY, Interpreter
from rivals.tasks import CLASSES, LEARNING_RATE, MOMENTUM, TASKS

SCRIPTS = REPOSITORY / "workflow" / "scripts"
sys.path.insert(0, str(SCRIPTS))

from trainmark.runs import events  # noqa: E402
from trainmark.runs.launch import worker_environment  # noqa: E402

RIVALS = Path(__file__).parent / "rivals"


class Speed(NamedTuple):
    """Images/s, and the cores that other processes kept busy meanwhile."""

    images_per_second: float
    others: float


def ours(
    interpreter: Interpreter, framework: str, network: str, threads: int, options: dict[str, Any]
) -> Speed:
    """The window of a real run on one batch that lies on the device."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "job.json")
        settings = {"adapter": framework, "threads": threads, "options": options}
        path.write_text(json.dumps(job_of(network) | settings))
        command = [interpreter.python, "-I", SCRIPTS / "worker" / "run.py", path]
        printed, others = _run(command, interpreter, threads)
    told = events.parse(printed)
    start, end = events.last(told, "window_start"), events.last(told, "window_end")
    assert start and end
    return Speed(end["images"] / (end["time_seconds"] - start["time_seconds"]), others)


def plain(interpreter: Interpreter, framework: str, network: str, threads: int) -> Speed:
    """The plain loop of a framework."""
    command = [interpreter.python, RIVALS / f"plain_{framework}.py", str(threads), network]
    printed, others = _run(command, interpreter, threads)
    return Speed(json.loads(printed.splitlines()[-1])["speed"], others)


def job_of(network: str) -> dict[str, Any]:
    """The job of a network on one batch, without what belongs to framework and machine."""
    task = TASKS[network]
    return {
        "device": "cpu",
        "precision": "float32",
        "stage": "train",
        "input_mode": "synthetic",
        "network": network,
        "image_shape": task.image_shape,
        "classes": CLASSES,
        "batch_size": task.batch_size,
        "warmup_steps": task.warmup_steps,
        "warmup_seconds": 0,
        "warmup_limit_seconds": 0,
        "steps": task.steps,
        "learning_rate": LEARNING_RATE,
        "momentum": MOMENTUM,
        "weight_decay": 0.0,
        "seed": 1,
        "evaluate": False,
        "data": None,
        "reference": None,
    }


def _run(command: list[Any], interpreter: Interpreter, threads: int) -> tuple[str, float]:
    """Run a process as a run's is; what it printed, and the cores that others used meanwhile."""
    before, clock = _busy_seconds()
    python = Path(interpreter.python)
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=worker_environment(python, threads, (), interpreter.variables),
        text=True,
    )
    assert process.stdout
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{printed[-2000:]}")
    after, now = _busy_seconds()
    return printed, (after - before - usage.ru_utime - usage.ru_stime) / (now - clock)


def _busy_seconds() -> tuple[float, float]:
    """CPU seconds of the whole machine, and the time they were read at, since boot."""
    user, nice, system, _idle, _wait, irq, soft = map(
        int, Path("/proc/stat").read_text().split()[1:8]
    )
    uptime = float(Path("/proc/uptime").read_text().split()[0])
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK"), uptime
