"""Each framework's own gradient of the logits by the images, against the reference."""

from pathlib import Path

import adapters
import examples
import numpy as np
import pytest
from judged import reference_of

from trainmark.runs import events
from trainmark.study import stages
from worker import networks
from worker.job import Job
from worker.proof import observe

PROBE = Path(__file__).parent / "probe_input_gradients.py"
ATTACK = {"stage": "attack", **stages.NO_UPDATE}
# AlexNet has normalised responses and groups; the batch of 16 has eight images twice.
SIZES = {"lenet": 16, "resnet20": 8, "alexnet": 10}
JOBS = [examples.small_images(name, **ATTACK, batch_size=size) for name, size in SIZES.items()]


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    """With the reference of each network as it is before a run folds its batch norms."""
    folder = tmp_path_factory.mktemp("references")
    with_reference = []
    for settings in JOBS:
        job = Job(**settings)
        network = networks.build(job.network, job.image_shape, job.classes).without_dropout()
        path = folder / f"{job.network}.npz"
        np.savez(path, **reference_of(network, job, observe.attack))
        with_reference.append({**settings, "reference": str(path)})
    return with_reference


@pytest.fixture(scope="module")
def gradient_events(job_events, jobs):
    """What an adapter tells of a network, all made in one process of it."""
    return lambda adapter, name: job_events(adapter, jobs, PROBE)[[*SIZES].index(name)]


@pytest.mark.parametrize("adapter", sorted({*adapters.TRAINING} - {"caffe_train"}))
@pytest.mark.parametrize("network", SIZES)
def test_it_is_that_of_the_reference(gradient_events, adapter, network):
    """And that of each image alone."""
    log = gradient_events(adapter, network)
    parity = events.last(log, "parity")
    assert parity["passed"]
    assert not events.last(log, "error")
    assert parity["input_gradient"] < 5e-6
    assert parity["logits"] < 5e-6


def test_a_runtime_has_none_and_says_so_in_a_line(job_events, jobs):
    (log,) = job_events("onnxruntime", jobs[:1], PROBE)
    error = events.last(log, "error")
    assert error["kind"] == "unsupported"
    assert len(error["message"].splitlines()) == 1
