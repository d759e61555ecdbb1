"""Corrupted test images are the same in every framework, and so is what is made of them."""

import subprocess

import adapters
import examples
import numpy as np
import pytest

from trainmark.runs import events
from trainmark.runs.launch import worker_environment
from trainmark.study import plugins, stages

PREDICTING = [name for name in adapters.TRAINING if name != "caffe_train"]
ENVIRONMENTS = {plugins.facts("framework", n).get("ENVIRONMENT", n): n for n in adapters.ALL}
"""By an environment's name one of those that run in it."""
KINDS = plugins.names("corruption")
TRAINING = {**examples.LENET, "keep_weights": True, "corruptions": KINDS, "corrupted_images": 100}
PRINTED = """
import hashlib, sys
sys.path.append(sys.argv[1])
import numpy
from worker.input import corruptions
images = numpy.random.RandomState(1).randint(0, 256, (50, 3, 32, 32)).astype(numpy.uint8)
batches = [(images, numpy.zeros(50, numpy.int64))]
for name in sys.argv[2:]:
    ((corrupted, _),) = corruptions.corrupted(batches, name)
    print(name, hashlib.sha256(corrupted.tobytes()).hexdigest())
"""


@pytest.fixture(scope="module")
def trained(run_folder, host_environment):
    folder, (log, rejected) = run_folder("numpy", TRAINING, host_environment)
    assert rejected == 0
    return folder, log


def printed(python, variables):
    command = [python, "-I", "-c", PRINTED, plugins.SCRIPTS, *KINDS]
    environment = worker_environment(python, 1, (), variables)
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def printed_here(host_environment):
    return printed(*host_environment)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_an_environments_numpy_makes_the_same_images(
    environment, framework_environment, printed_here
):
    output = printed(*framework_environment(ENVIRONMENTS[environment]))
    assert output == printed_here
    assert len(output.splitlines()) == len(KINDS)


def test_who_trains_tells_its_accuracy_in_each_corruption_and_keeps_its_logits(trained):
    folder, log = trained
    event = events.last(log, "corruptions")
    assert event["names"] == [None, *KINDS]
    assert event["count"] == [100] * len(event["names"])
    assert "same" not in event
    with np.load(folder / "predictions.npz") as kept:
        assert kept["logits"].shape == (297, 10)
        logits = [kept["logits"][:100], *(kept[f"logits/{name}"] for name in KINDS)]
        for outputs, top1 in zip(logits, event["top1"], strict=True):
            classes = outputs.argmax(axis=1)
            assert 100 * (classes == kept["labels"][:100]).mean() == pytest.approx(top1)


@pytest.mark.parametrize("adapter", [*PREDICTING, "onnxruntime", "litert"])
def test_who_takes_the_weights_predicts_the_same_of_corrupted_images(adapter, run_folder, trained):
    folder, _ = trained
    job = {**TRAINING, "stage": "infer", **stages.NO_UPDATE, "keep_weights": False}
    job |= {"batch_size": 7, "trained_by": "numpy", "trained": str(folder / "weights.npz")}
    prediction_folder, (log, rejected) = run_folder(adapter, job)
    assert rejected == 0
    event = events.last(log, "corruptions")
    assert event["count"] == event["same"] == [100] * (1 + len(KINDS))
    assert max(event["logit_difference"]) < 1e-4
    with (
        np.load(folder / "predictions.npz") as expected,
        np.load(prediction_folder / "predictions.npz") as kept,
    ):
        assert sorted(kept) == sorted(expected)
