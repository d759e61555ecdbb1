"""JAX's kernels in a training step of our adapter, by XLA's profiler.

usage: python kernels_jax.py SCRIPTS JOB.json
"""

import collections
import re
import sys
import tempfile
from pathlib import Path

sys.path.append(sys.argv[1])

import jax
from jax.profiler import ProfileData

from worker import run
from worker.input import fixed_batch
from worker.job import read
from worker.proof import start

WARMUP_STEPS, STEPS, SHOWN = 5, 10, 12
THREADS = "tf_XLAEigen"
"""The beginning of the names of the threads that compute."""
AROUND = re.compile("ThunkExecutor|SlinkyThreadPool")
"""Events of a thread that contain kernels, or wait for them."""

job = read(sys.argv[2])
adapter = run.build(job, *start.of_job(job))
batch = adapter.batch(*fixed_batch.whole(job))


def train(steps):
    """Train so many steps, and wait for them."""
    for _ in range(steps):
        adapter.train_step(batch)
    adapter.synchronise()


train(WARMUP_STEPS)
milliseconds = collections.Counter()
with tempfile.TemporaryDirectory() as folder:
    with jax.profiler.trace(folder):
        train(STEPS)
    [profile] = Path(folder).rglob("*.xplane.pb")
    for plane in ProfileData.from_file(str(profile)).planes:
        for line in plane.lines:
            if line.name.startswith(THREADS):
                for event in line.events:
                    kind = re.sub(r"[.\d]+$", "", event.name)
                    milliseconds[kind] += event.duration_ns / 1e6 / STEPS

kernels = {kind: each for kind, each in milliseconds.items() if not AROUND.match(kind)}
total = sum(kernels.values())
for kind, each in sorted(kernels.items(), key=lambda pair: -pair[1])[:SHOWN]:
    print(f"{kind:32} {each:8.2f} ms {100 * each / total:5.1f} %")
print(f"{'all kernels':32} {total:8.2f} ms")
