"""Several devices share a batch: equal work on each, and the training of one that had it all.

The processor stands in for GPUs, as two devices.
"""

import json
import subprocess
from pathlib import Path

import examples
import numpy as np
import pytest

from trainmark.study import plugins
from trainmark.train import events
from trainmark.train.launch import worker_environment

ADAPTERS = ["caffe2", "jax", "mxnet", "pytorch", "tensorflow"]

# At a rate so small that what they round apart doesn't grow.
LENET = {**examples.LENET, "steps": 20, "learning_rate": 0.001}
RESNET50 = examples.small_images("resnet50")
ODD = 3
KEEPING_THE_FIRST = ("pytorch",)  # device's running statistics; the others keep the mean
PROBE = Path(__file__).parent / "probe_statistics.py"

every_adapter = pytest.mark.parametrize("adapter", ADAPTERS)


def on_two(job):
    return {**job, "device": "cpu:2"}


@every_adapter
@pytest.mark.parametrize("job", [LENET, RESNET50], ids=lambda job: job["network"])
def test_each_device_does_the_reference_work_on_its_part(told, adapter, job):
    found, rejected = told(adapter, on_two(job))
    assert events.last(found, "parity")["passed"]
    assert events.last(found, "parity")["error"] < 1e-2
    described = events.last(found, "environment")
    assert len(described["devices"]) == 2
    assert described["device_batch_size"] == job["batch_size"] / 2
    assert described["threads"] == job["threads"]
    assert rejected == 0


@every_adapter
def test_together_they_learn_what_one_device_learns(told, adapter):
    one, two = (told(adapter, job).events for job in (LENET, on_two(LENET)))
    losses = [events.last(found, "window_end")["losses"] for found in (one, two)]
    assert len(losses[1]) == LENET["steps"]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4)
    count, top1 = (events.last(two, "evaluation")[name] for name in ("count", "top1"))
    assert count == events.last(one, "evaluation")["count"]
    assert top1 == pytest.approx(events.last(one, "evaluation")["top1"], abs=0.7)


@every_adapter
@pytest.mark.parametrize("input_mode", ["cached", "synthetic"])
def test_they_share_batches_of_every_input_mode(told, adapter, input_mode):
    job = {**LENET, "input_mode": input_mode, "steps": 2, "evaluate": False}
    one, two = (told(adapter, asked).events for asked in (job, on_two(job)))
    losses = [events.last(found, "window_end")["losses"] for found in (one, two)]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4)


@every_adapter
def test_a_last_batch_of_one_image_leaves_a_device_without_any(told, adapter):
    found = told(adapter, {**on_two(LENET), "batch_size": 74, "steps": 2}).events
    assert events.last(found, "evaluation")["count"] == 4 * 74 + 1


@every_adapter
def test_more_gpus_than_there_are_are_refused(tmp_path, framework_environment, adapter):
    python, variables = framework_environment(adapter)
    job = {**examples.of_adapter(LENET, adapter), "device": f"cuda:{ODD}", "batch_size": 30 * ODD}
    (tmp_path / "job.json").write_text(json.dumps(job))
    done = subprocess.run(
        [python, "-I", plugins.SCRIPTS / "worker" / "run.py", "job.json"],
        cwd=tmp_path,
        env=worker_environment(python, 2, (), variables),
        capture_output=True,
        text=True,
        check=False,
    )
    error = events.last(events.parse(done.stdout), "error")
    assert error["kind"] == "unsupported"
    assert error["message"] == f"{adapter} finds no GPU, where cuda:{ODD} asks for {ODD}"


@every_adapter
def test_running_statistics_of_unlike_parts_are_their_mean_or_the_first_ones(
    run_script, framework_environment, tmp_path, adapter
):
    job, folder = {**on_two(LENET), "adapter": adapter}, tmp_path / adapter
    arguments = (plugins.SCRIPTS, "job.json", "found.npz")
    run_script(framework_environment(adapter), PROBE, job, folder, *arguments)
    found = np.load(folder / "found.npz")
    for name in ("norm/running_mean", "norm/running_variance"):
        parts = found[f"{name}/parts"]
        assert (abs(parts[0] - parts[1]) > 0.01).all()
        kept = parts[0] if adapter in KEEPING_THE_FIRST else parts.mean(axis=0)
        np.testing.assert_allclose(found[f"{name}/whole"], kept, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(*found["logits"], rtol=1e-4, atol=1e-5)
