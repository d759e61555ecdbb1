"""TensorFlow and JAX compile what a run needs in its first steps, and nothing in its window."""

import json
from pathlib import Path

import examples
import pytest

from trainmark.study import plugins

PROBE = Path(__file__).parent / "probe_compilations.py"


@pytest.fixture
def probe(tmp_path, run_script, converted, framework_environment):
    """What probe_compilations.py counts, which it prints in one line."""

    def counts_of(adapter, threads):
        data = str(converted("digits", adapter))
        job = {**examples.LENET, "adapter": adapter, "data": data, "threads": threads}
        environment, folder = framework_environment(adapter), tmp_path / "run"
        printed = run_script(environment, PROBE, job, folder, plugins.SCRIPTS, "job.json")
        (counts,) = [line for line in printed.splitlines() if line.startswith('{"first"')]
        return json.loads(counts)

    return counts_of


@pytest.mark.parametrize("adapter", ["tensorflow", "jax"])
def test_nothing_is_compiled_after_the_first_steps(probe, adapter):
    counts = probe(adapter, threads=2)
    assert counts["first"] >= 2  # the training step and the prediction
    assert counts["later"] == 0


@pytest.mark.parametrize("threads", [1, 3])
def test_xla_computes_with_as_many_threads_as_the_job_says(probe, threads):
    assert probe("jax", threads)["threads"]["tf_XLAEigen"] == threads
