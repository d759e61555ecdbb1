"""Attacks by the Toolbox in its own environment, on trained weights, in each framework."""

import examples
import numpy as np
import pytest

from trainmark.runs import events
from trainmark.study import plugins, stages

TRAINING = {**examples.LENET, "steps": 60, "evaluate": False, "keep_weights": True}
ATTACK = {
    **examples.LENET,
    **stages.NO_UPDATE,
    "stage": "attack",
    "batch_size": 16,
    "evaluate": False,
    "trained_by": "numpy",
    "attacks": ["fgsm"],
    "epsilons": [0.1, 0.3],
    "attack_images": 40,
}


@pytest.fixture(scope="module")
def trained(run_folder, host_environment):
    """The weights of a training in numpy."""
    folder, _ = run_folder("numpy", TRAINING, host_environment)
    return str(folder / "weights.npz")


@pytest.fixture(scope="module")
def attacked(run_folder, built_environment, trained):
    """The folder of a run of stage attack with these weights, and its log."""
    attacker = str(built_environment("attack").python)

    def ran(adapter, **settings):
        paths = {"trained": trained, "attacker": attacker}
        folder, (log, rejected) = run_folder(adapter, {**ATTACK, **paths, **settings})
        assert rejected == 0
        return folder, log

    return ran


@pytest.mark.parametrize("adapter", ["numpy", "pytorch"])
def test_the_fast_gradient_sign_method_fools_a_framework(attacked, adapter):
    folder, log = attacked(adapter)
    event = events.last(log, "attacks")
    assert event["attack"] == ["fgsm", "fgsm"]
    assert event["epsilon"] == [0.1, 0.3]
    assert event["count"] == 40
    assert 0 < event["fooled"][0] < event["fooled"][1] <= event["recognised"]
    assert event["linf_mean"] == pytest.approx([0.1, 0.3], abs=1e-6)
    with np.load(folder / "adversarial.npz") as kept:
        assert kept["found"].shape == (2, *kept["images"].shape) == (2, 40, 1, 28, 28)
        assert 0 <= kept["found"].min() < kept["found"].max() <= 1
        distances = np.abs(kept["found"] - kept["images"]).max(axis=(1, 2, 3, 4))
        assert distances == pytest.approx([0.1, 0.3], abs=1e-6)


def test_the_limit_of_seconds_ends_the_timed_gradients_early(attacked):
    limit = {"steps": 10**6, "max_seconds": 0.1, "attack_images": 3, "batch_size": 3}
    _, log = attacked("numpy", **limit)
    assert 0 < events.last(log, "window_end")["steps"] < 10**6


def test_each_attack_fools_with_images_that_keep_to_its_limits(attacked):
    names = plugins.names("attack")
    few = {"attacks": names, "epsilons": [0.3], "attack_images": 3, "batch_size": 3}
    folder, log = attacked("numpy", **few)
    event = events.last(log, "attacks")
    takes_epsilon = [plugins.facts("attack", name)["TAKES_EPSILON"] for name in names]
    assert event["attack"] == names
    assert event["epsilon"] == [0.3 if takes else None for takes in takes_epsilon]
    assert min(event["fooled"]) > 0
    assert min(event["predictions"]) > 0
    assert [gradients > 0 for gradients in event["gradients"]] == [
        name != "hop_skip_jump" for name in names
    ]
    with np.load(folder / "adversarial.npz") as kept:
        assert 0 <= kept["found"].min() < kept["found"].max() <= 1
        distances = np.abs(kept["found"] - kept["images"]).max(axis=(1, 2, 3, 4))
    limits = np.where(takes_epsilon, 0.3 + 1e-6, 1)
    assert (distances > 0).all() and (distances <= limits).all()


@pytest.mark.parametrize("adapter", ["numpy", "pytorch", "onnxruntime"])
def test_what_fooled_there_is_tried_here(attacked, trained, run_folder, adapter):
    """Equal weights are fooled by equal images, but for one near to a boundary."""
    folder, log = attacked("numpy")
    made = events.last(log, "attacks")
    prediction = {
        "stage": "infer",
        "attacks": [],
        "epsilons": [],
        "attack_images": 0,
        "batch_size": 7,
    }
    weights_and_images = {
        "trained": trained,
        "attacked_by": "numpy",
        "attacked": str(folder / "run.json"),
    }
    _, (log, rejected) = run_folder(adapter, {**ATTACK, **prediction, **weights_and_images})
    assert rejected == 0
    event = events.last(log, "transferred")
    assert (event["attack"], event["epsilon"]) == (made["attack"], made["epsilon"])
    assert (event["count"], event["made"]) == (made["count"], made["fooled"])
    assert event["passed"] == pytest.approx(made["fooled"], abs=1)
