"""Count what an adapter compiles, and its threads, in its framework's own Python.

usage: python -I probe_compilations.py SCRIPTS JOB

Prints a JSON object: the compilations of the first steps, those of two epochs of train and test
after them, and the number of threads by name.
"""

import collections
import contextlib
import json
import sys
from pathlib import Path

scripts, job_path = sys.argv[1:]
sys.path.append(scripts)
from worker import frameworks, networks  # noqa: E402
from worker.input import fixed_batch, modes  # noqa: E402
from worker.job import read  # noqa: E402
from worker.networks.neutral import update_rule, weights  # noqa: E402


def traces_of_tensorflow(adapter):
    """Count the graphs traced for either function."""
    functions = adapter.step, adapter.parts
    return lambda: sum(f.experimental_get_tracing_count() for f in functions)


def compilations_of_jax(adapter):
    """Count all compilations of the process from now on, whoever asks for them."""
    from jax import monitoring

    counted = collections.Counter()
    monitoring.register_event_duration_secs_listener(
        lambda event, *_, **__: counted.update([event])
    )
    return lambda: counted["/jax/core/compile/backend_compile_duration"]


COUNTERS = {"tensorflow": traces_of_tensorflow, "jax": compilations_of_jax}


def loaded(job):
    """An adapter of the job with its initial weights."""
    adapter = frameworks.find(job)(job)
    network = networks.build(job.network, job.image_shape, job.classes)
    adapter.build(network, update_rule.of_job(job))
    adapter.load(weights.initial(network, job.seed))
    return adapter


def epoch(adapter, job):
    """Train on one split and recognise the other."""
    for batch in modes.one_epoch(adapter, job):
        adapter.train_step(batch)
    for batch in adapter.batches("test"):
        adapter.predict(batch)


def thread_names():
    """The number of this process's threads by their names."""
    names = collections.Counter()
    for comm in Path("/proc/self/task").glob("*/comm"):
        with contextlib.suppress(OSError):  # a thread that read ahead may just have ended
            names[comm.read_text().strip()] += 1
    return names


def main(job):
    """Probe the job's adapter."""
    adapter = loaded(job)
    count = COUNTERS[job.adapter](adapter)
    batch = adapter.batch(*fixed_batch.whole(job))
    adapter.predict(batch)
    adapter.train_step(batch)
    adapter.train_step(next(iter(adapter.batches("train"))))
    adapter.synchronise()
    first = count()
    epoch(adapter, job)
    epoch(adapter, job)
    print(json.dumps({"first": first, "later": count() - first, "threads": thread_names()}))


if __name__ == "__main__":
    main(read(job_path))
