"""Experts' settings: what the study `tuned` tries does the work of the reference."""

from pathlib import Path

import examples
import numpy as np
import pytest
import yaml

from trainmark.runs import events
from trainmark.study import stages

STUDY = Path(__file__).parents[2] / "config" / "studies" / "tuned.yaml"
ENTRIES = [
    entry
    for entry in yaml.safe_load(STUDY.read_text(encoding="utf-8"))["frameworks"]
    if "options" in entry
]
TRAINING = {**examples.LENET, "keep_weights": True}
OF_PREDICTION = ("pytorch-frozen", "pytorch-autotuned", "mxnet-fused")
CHOSEN = "mxnet-fused"
"""What `make test` tries: the others take minutes to compile."""


def param(entry):
    name = entry["framework"]
    return pytest.param(entry, id=name, marks=[] if name == CHOSEN else pytest.mark.whole)


@pytest.mark.parametrize("entry", [param(entry) for entry in ENTRIES])
def test_a_setting_of_experts_does_the_work_of_the_reference(run_events, entry):
    predicts = entry["framework"] in OF_PREDICTION
    stage = {"stage": "infer", **stages.NO_UPDATE} if predicts else {}
    job = examples.small_images("resnet20", options=entry["options"], **stage)
    log, rejected = run_events(entry["adapter"], job)
    assert (events.last(log, "error"), rejected) == (None, 0)
    assert events.last(log, "window_end")


@pytest.mark.parametrize(
    ("adapter", "options"),
    [
        pytest.param("pytorch", {"compile": True, "freeze": True}, marks=pytest.mark.whole),
        ("caffe2", {}),  # it brings kernels into another layout once
    ],
)
def test_fixed_weights_are_those_of_the_training(run_folder, host_environment, adapter, options):
    """Not those that the proof had the network compiled with."""
    trained, _ = run_folder("numpy", TRAINING, host_environment)
    predicting = {"stage": "infer", **stages.NO_UPDATE, "options": options}
    weights = {"trained_by": "numpy", "trained": str(trained / "weights.npz")}
    predicted, _ = run_folder(adapter, {**examples.LENET, **predicting, **weights})
    expected, predictions = (np.load(folder / "predictions.npz") for folder in (trained, predicted))
    np.testing.assert_allclose(predictions["logits"], expected["logits"], rtol=1e-4, atol=1e-4)
