"""Trained weights are handed over in neutral form: another framework goes on from them."""

import adapters
import examples
import numpy as np
import pytest

from trainmark.runs import events
from worker import networks
from worker.frameworks.numpy.adapter import Adapter
from worker.job import Job
from worker.networks.neutral import update_rule

ADAPTERS = [name for name in adapters.TRAINING if name != "numpy"]
JOB = {**examples.LENET, "steps": 40, "keep_weights": True}


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_reference_recognises_what_the_framework_does(adapter, run_folder, converted):
    """With the same weights, names and layouts of the neutral network among them."""
    folder, scan = run_folder(adapter, JOB)
    network = networks.build(JOB["network"], JOB["image_shape"], JOB["classes"])
    with np.load(folder / "weights.npz") as stored:
        trained = dict(stored)
    assert {name: array.shape for name, array in trained.items()} == {
        weight.name: weight.shape for weight in network.weights
    }
    assert {str(array.dtype) for array in trained.values()} == {"float32"}
    job = Job(**{**JOB, "data": str(converted(JOB["dataset"], "numpy"))})
    numpy = Adapter(job)
    numpy.build(network, update_rule.of_job(job))
    numpy.load(trained)
    predictions = [numpy.predict(batch) for batch in numpy.batches("test")]
    recognised = sum((logits.argmax(1) == labels).sum() for logits, labels in predictions)
    count = sum(len(labels) for _, labels in predictions)
    top1 = events.last(scan.events, "evaluation")["top1"]
    assert top1 > 30  # of ten classes: it has learnt something
    assert 100 * recognised / count == pytest.approx(top1, abs=100 / count)
