"""What the monitor costs: training speed with it on and off, in turns within one run.

usage: python benchmarks/monitor.py [--framework pytorch] [--device cpu] [--threads N]
                                    [--seconds 120] [--often 20]

LeNet on one batch. The monitor samples for half a second, then rests for half a second, and so on;
each spell with it is held against the one without it that follows. It samples `often` times as
often as in a run, so that its cost stands out of the noise, which is greater than that of a run's
ten samples a second. Printed are the loss of speed, its 95 % interval, the same divided by `often`,
which is a run's, and the CPU time of a sample.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from interpreters import framework_interpreter
from places import SCRIPTS
from scipy import stats
from training import Machine, add_machine, job_of

from trainmark.machine import processes
from trainmark.machine.gpu import for_device
from trainmark.machine.processes import Descendants
from trainmark.machine.processor import Rapl
from trainmark.machine.telemetry import INTERVAL_SECONDS, Sampler
from trainmark.runs import events
from trainmark.runs.launch import worker_environment

SPELL_SECONDS = 0.5


def watch(process: subprocess.Popen[str], sampler: Sampler) -> list[float]:
    """Monitor every other spell until the process ends; when each spell began."""
    edges = []
    while process.poll() is None:
        start = time.monotonic()
        edges.append(start)
        if len(edges) % 2:
            while time.monotonic() < start + SPELL_SECONDS:
                sampler.take()
                time.sleep(max(0.0, sampler.seconds_to_next()))
        else:
            time.sleep(SPELL_SECONDS)
    return edges


def speeds(edges: list[float], window_start: float, step_ends: list[float]) -> np.ndarray:
    """Steps per second in each spell that lies wholly within the window, on and off in turns."""
    ends = window_start + np.array(step_ends)
    done = np.interp(edges, ends, np.arange(1, len(ends) + 1))
    inside = [i for i, edge in enumerate(edges[:-1]) if ends[0] < edge and edges[i + 1] < ends[-1]]
    first = inside[0] + inside[0] % 2  # begin with one that was monitored
    rates = np.diff(done)[first : inside[-1] + 1] / np.diff(edges)[first : inside[-1] + 1]
    return np.array(rates[: len(rates) // 2 * 2].reshape(-1, 2))


def main() -> None:
    """Run once and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--framework", default="pytorch")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--often", type=int, default=20)
    add_machine(parser)
    arguments = parser.parse_args()
    machine, gpus = Machine(arguments.device, arguments.threads), for_device(arguments.device)
    job = job_of(arguments.framework, "lenet", machine, window_seconds=arguments.seconds)
    interpreter = framework_interpreter(job.environment)
    if interpreter is None:
        sys.exit(f"needs the environment {job.environment}: make setup, snakemake environments")
    with tempfile.TemporaryDirectory() as folder:
        path, log = Path(folder, "job.json"), Path(folder, "worker.log")
        path.write_text(json.dumps(job._asdict()))
        python = Path(interpreter.python)
        interval_seconds = INTERVAL_SECONDS / arguments.often
        processes.SEEK_SECONDS /= arguments.often
        sampler = Sampler(Descendants(), gpus, Rapl.find(), interval_seconds)
        with log.open("w") as output:
            process = subprocess.Popen(
                [python, "-I", SCRIPTS / "worker" / "run.py", path],
                stdout=output,
                env=worker_environment(python, machine.threads, gpus, interpreter.variables),
                text=True,
            )
            edges = watch(process, sampler)
        log_events = events.parse(log.read_text())
    start, end = events.last(log_events, "window_start"), events.last(log_events, "window_end")
    assert start and end
    pairs = speeds(edges, start["time_seconds"], end["step_end_seconds"])
    lost = 100 * (1 - pairs[:, 0] / pairs[:, 1])  # percent
    interval = stats.ttest_1samp(lost, 0).confidence_interval(0.95)
    spent = sampler.samples[-1].launcher_cpu_seconds - sampler.samples[0].launcher_cpu_seconds
    print(f"{len(lost)} pairs of spells, {pairs.mean():.1f} steps/s")
    for name, divisor in ((f"{arguments.often} times as often", 1), ("a run's", arguments.often)):
        mean, low, high = (value / divisor for value in (lost.mean(), interval.low, interval.high))
        print(f"lost to sampling, {name}: {mean:.3f} % ({low:.3f} to {high:.3f})")
    print(f"{1e3 * spent / (len(sampler.samples) - 1):.2f} ms of CPU a sample")


if __name__ == "__main__":
    main()
