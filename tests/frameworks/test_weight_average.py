"""The option weight_average: what a run keeps and evaluates is the average of its weights."""

import examples
import numpy as np
import pytest

from worker import networks
from worker.networks.neutral import weights
from worker.networks.neutral.builder import TRAINABLE_ROLES

DECAY = 0.2
STEPS = 3  # the average decays by 2/11, then by DECAY
JOB = examples.small_images("resnet20", warmup_steps=0, keep_weights=True)
with_an_average = pytest.mark.parametrize("adapter", ["pytorch", "tensorflow"])


@with_an_average
def test_the_kept_weights_are_the_average_over_the_steps(run_folder, adapter):
    def kept(steps, options):
        folder, _ = run_folder(adapter, {**JOB, "steps": steps, "options": options})
        with np.load(folder / "weights.npz") as arrays:
            return dict(arrays)

    network = networks.build(JOB["network"], JOB["image_shape"], JOB["classes"])
    expected = weights.initial(network, JOB["seed"])
    for steps in range(1, STEPS + 1):
        trained = kept(steps, {})
        for weight in network.weights:
            is_averaged, name = weight.role in TRAINABLE_ROLES, weight.name
            decay = min(DECAY, (1 + steps) / (10 + steps)) if is_averaged else 0
            expected[name] = decay * expected[name] + (1 - decay) * trained[name]
    averaged = kept(STEPS, {"weight_average": DECAY})
    assert averaged.keys() == expected.keys()
    for name, array in averaged.items():
        np.testing.assert_allclose(array, expected[name], rtol=1e-4, atol=1e-6, err_msg=name)


@with_an_average
def test_a_curve_of_accuracies_has_no_average(refused, adapter):
    job = {**JOB, "evaluate_every": 2, "options": {"weight_average": DECAY}}
    reason = "option weight_average is for stage train on one device, without evaluate_every"
    assert refused(adapter, job) == reason


def test_an_own_loop_has_no_average(refused):
    job = {**examples.LENET, "options": {"weight_average": DECAY}}
    assert refused("pytorch_imagenet", job) == "option weight_average needs trainmark's loop"


def test_an_average_that_never_moves_is_refused(refused):
    reason = "option weight_average is 1.0; it must be from 0 to below 1"
    assert refused("pytorch", {**JOB, "options": {"weight_average": 1.0}}) == reason
