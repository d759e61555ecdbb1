"""Attacks by the Toolbox in its own environment, on trained weights, in each framework."""

import sys
from pathlib import Path

import examples
import numpy as np
import pytest

from trainmark.runs import events
from trainmark.study import stages

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
def attacked(run_folder, built_environment):
    """The folder of a run of stage attack with the weights of a training in numpy, its event."""
    trained, _ = run_folder("numpy", TRAINING, (Path(sys.executable), {}))
    attacker = str(built_environment("attack").python)

    def ran(adapter, **settings):
        own = {"trained": str(trained / "weights.npz"), "attacker": attacker}
        folder, (told, rejected) = run_folder(adapter, {**ATTACK, **own, **settings})
        assert rejected == 0
        return folder, events.last(told, "attacks")

    return ran


@pytest.mark.parametrize("adapter", ["numpy", "pytorch"])
def test_the_fast_gradient_sign_method_fools_a_framework(attacked, adapter):
    folder, told = attacked(adapter)
    assert told["attack"] == ["fgsm", "fgsm"]
    assert told["epsilon"] == [0.1, 0.3]
    assert told["count"] == 40
    assert 0 < told["fooled"][0] < told["fooled"][1] <= told["recognised"]
    assert told["linf_mean"] == pytest.approx([0.1, 0.3], abs=1e-6)
    with np.load(folder / "adversarial.npz") as kept:
        assert kept["found"].shape == (2, *kept["images"].shape) == (2, 40, 1, 28, 28)
        assert 0 <= kept["found"].min() < kept["found"].max() <= 1
        changed = np.abs(kept["found"] - kept["images"]).max(axis=(1, 2, 3, 4))
        assert changed == pytest.approx([0.1, 0.3], abs=1e-6)
