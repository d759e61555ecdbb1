"""TensorFlow and JAX compile what a run needs in its first steps, and nothing in its window."""

import json
import subprocess
from pathlib import Path

import examples
import pytest

from trainmark.data.convert import convert
from trainmark.runs.launch import worker_environment
from trainmark.study import plugins

PROBE = Path(__file__).parent / "probe_compilations.py"


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    folder = tmp_path_factory.mktemp("digits")
    convert("digits", folder / "source", "tfrecord", folder / "tfrecord")
    return folder / "tfrecord" / "dataset.json"


@pytest.fixture
def probe(tmp_path, digits, framework_python):
    def counts_of(adapter, threads):
        python = framework_python(adapter)
        job = {**examples.LENET, "adapter": adapter, "data": str(digits), "threads": threads}
        (tmp_path / "job.json").write_text(json.dumps(job))
        done = subprocess.run(
            [python, "-I", PROBE, plugins.SCRIPTS, tmp_path / "job.json"],
            env=worker_environment(python, threads, (), {}),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return json.loads(done.stdout)

    return counts_of


@pytest.mark.parametrize("adapter", ["tensorflow", "jax"])
def test_nothing_is_compiled_after_the_first_steps(probe, adapter):
    counts = probe(adapter, threads=2)
    assert counts["first"] >= 2  # the training step and the prediction
    assert counts["later"] == 0


@pytest.mark.parametrize("threads", [1, 3])
def test_xla_computes_with_as_many_threads_as_the_job_says(probe, threads):
    assert probe("jax", threads)["threads"]["tf_XLAEigen"] == threads
