"""Several devices share a batch: equal work on each, and together the training of the reference.

The processor stands in for GPUs, as two devices.
"""

from pathlib import Path

import adapters
import examples
import numpy as np
import pytest
from several_devices import check_losses, check_recognised

from trainmark.runs import events
from trainmark.study import plugins

LENET, CACHED = examples.SHARED, examples.SHARED_CACHED
RESNET20 = examples.small_images("resnet20")
DROPOUT = examples.small_images("tensorflow_mnist")  # built twice, without it and with it
ODD = 3
TWO = {"device": "cpu:2", "threads": 2}
KEEPING_THE_FIRST = ("cntk", "pytorch")  # device's running statistics; the others keep the mean
PROBE = Path(__file__).parent / "probe_statistics.py"

every_adapter = pytest.mark.parametrize("adapter", adapters.ON_SEVERAL_DEVICES)
JOBS = {"lenet": LENET, "resnet20": RESNET20, "dropout": DROPOUT, "cached": CACHED}
is_chosen = adapters.every(
    3, adapters.ON_SEVERAL_DEVICES, ["resnet20", "dropout", "cached"], ("lenet",)
)
"""`make test` has LeNet's stored images in each adapter, and of the others one in each."""


def each_with(*names):
    """Each adapter with each of some jobs."""
    pairs = [(adapter, name) for adapter in adapters.ON_SEVERAL_DEVICES for name in names]
    return pytest.mark.parametrize(("adapter", "name"), adapters.params(pairs, is_chosen))


def on_two(job):
    return {**job, **TWO}


@each_with("lenet", "resnet20", "dropout")
def test_each_device_does_the_reference_work_on_its_part(run_events, adapter, name):
    job = JOBS[name]
    settings = on_two(job)
    log, rejected = run_events(adapter, settings)
    assert events.last(log, "parity")["passed"]
    assert events.last(log, "parity")["error"] < 1e-2
    described = events.last(log, "environment")
    assert len(described["devices"]) == 2
    assert described["device_batch_size"] == job["batch_size"] / 2
    assert described["threads"] == settings["threads"]
    assert rejected == 0


@each_with("lenet", "cached")
def test_together_they_learn_what_the_reference_learns(run_events, host_environment, adapter, name):
    """From stored images and from cached ones; synthetic ones are those that parity has."""
    check_losses(run_events, host_environment, adapter, JOBS[name], **TWO)


@every_adapter
def test_together_they_recognise_what_the_reference_does(run_events, host_environment, adapter):
    check_recognised(run_events, host_environment, adapter, LENET, **TWO)


@pytest.mark.parametrize("adapter", adapters.every_nth(3, adapters.ON_SEVERAL_DEVICES))
def test_more_gpus_than_there_are_are_refused(refused, adapter):
    reason = refused(adapter, {**LENET, "device": f"cuda:{ODD}", "batch_size": 30 * ODD})
    assert reason == f"{adapter} finds no GPU, but cuda:{ODD} needs {ODD}"


@pytest.mark.parametrize("adapter", adapters.every_nth(3, adapters.ON_ONE_DEVICE))
def test_no_other_adapter_takes_several(refused, adapter):
    """Else it would be tried by none of these tests."""
    assert refused(adapter, on_two(LENET)) == f"cpu:2: {adapter} trains on one device"


@pytest.mark.parametrize(
    ("adapter", "device"),
    [
        *((adapter, "cpu:2") for adapter in adapters.ON_SEVERAL_DEVICES),
        *(
            pytest.param(adapter, "cpu:2x1", marks=pytest.mark.whole)
            for adapter in adapters.ON_SEVERAL_NODES
        ),
    ],
)
def test_running_statistics_of_unlike_parts_are_their_mean_or_the_first_ones(
    run_script, framework_environment, tmp_path, adapter, device
):
    # One thread, as with one device and with two: some frameworks can't change it, or end with it.
    job, folder = {**LENET, "device": device, "adapter": adapter, "threads": 1}, tmp_path / adapter
    arguments = (plugins.SCRIPTS, "job.json", "statistics.npz")
    run_script(framework_environment(adapter), PROBE, job, folder, *arguments)
    arrays = np.load(folder / "statistics.npz")
    for name in ("norm/running_mean", "norm/running_variance"):
        parts = arrays[f"{name}/parts"]
        assert (abs(parts[0] - parts[1]) > 0.01).all()
        kept = parts[0] if adapter in KEEPING_THE_FIRST else parts.mean(axis=0)
        np.testing.assert_allclose(arrays[f"{name}/whole"], kept, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(*arrays["logits"], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("adapter", KEEPING_THE_FIRST)
def test_pixels_that_the_host_prepares_are_refused_where_each_device_reads_its_part(
    refused, converted, adapter
):
    data = str(converted(LENET["dataset"], adapter))
    job = {**on_two(LENET), "data": data, "pixels": {"standardise": "image"}}
    message = f"{adapter} reads no stored pixels on cpu:2, which pixels, augment and shuffle need"
    assert refused(adapter, job) == message
