"""JAX's kernels in a training step of our adapter, by XLA's profiler.

usage: python kernels_jax.py SCRIPTS JOB.json
"""

import collections
import json
import os
import re
import sys
import tempfile
from pathlib import Path

sys.path.append(sys.argv[1])

WARMUP_STEPS, STEPS = 5, 10
THREADS = "tf_XLAEigen"
"""The beginning of the names of the threads that compute."""
AROUND = re.compile("ThunkExecutor|SlinkyThreadPool")
"""Events of a thread that contain kernels, or wait for them."""
OPERATIONS = ("convolution", "dot", "reduce", "transpose")
"""What a fusion is called by: the first of these that it has, else elementwise."""
COMPUTATION = re.compile(r"^(?:ENTRY )?%?([\w.\-]+) [^\n]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FUSION = re.compile(r"%?([\w.\-]+) = .* fusion\(.*calls=%?([\w.\-]+)")


def operations(program):
    """What each fusion of a compiled program does, by the fusion's name."""
    bodies = dict(COMPUTATION.findall(program))
    return {
        name: next((each for each in OPERATIONS if f" {each}(" in bodies[body]), "elementwise")
        for name, body in FUSION.findall(program)
    }


def train(adapter, batch, steps):
    """Train so many steps, and wait for them."""
    for _ in range(steps):
        adapter.train_step(batch)
    adapter.synchronise()


def main(folder):
    """Print milliseconds of a step by operation, as JSON; `folder` is for dumps."""
    os.environ["XLA_FLAGS"] = f"--xla_dump_to={folder} --xla_dump_hlo_as_text"
    import jax
    from jax.profiler import ProfileData

    from worker import run
    from worker.input import fixed_batch
    from worker.job import read
    from worker.proof import start

    job = read(sys.argv[2])
    adapter = run.build(job, *start.of_job(job))
    batch = adapter.batch(*fixed_batch.whole(job))
    train(adapter, batch, WARMUP_STEPS)
    with jax.profiler.trace(folder):
        train(adapter, batch, STEPS)
    [program] = Path(folder).glob("*jit__step*after_optimizations.txt")
    operation_of = operations(program.read_text())
    [profile] = Path(folder).rglob("*.xplane.pb")
    milliseconds = collections.Counter()
    for plane in ProfileData.from_file(str(profile)).planes:
        for line in (line for line in plane.lines if line.name.startswith(THREADS)):
            for event in (event for event in line.events if not AROUND.match(event.name)):
                name = re.sub(r"[.\d]+$", "", event.name)
                operation = operation_of.get(event.name, name)
                milliseconds[operation] += event.duration_ns / 1e6 / STEPS
    print(json.dumps(milliseconds))


with tempfile.TemporaryDirectory() as dumps:
    main(dumps)
