"""Runtimes, which only predict: each network as the reference predicts it, and what they refuse."""

import adapters
import examples
import pytest

from trainmark.study import stages
from worker import networks

INFER = {"stage": "infer", **stages.NO_UPDATE}
JOBS = {name: examples.small_images(name, **INFER) for name in examples.TRIED}

every_runtime = pytest.mark.parametrize("runtime", adapters.RUNTIMES)


@every_runtime
@pytest.mark.parametrize("network", JOBS)
def test_a_runtime_predicts_what_the_reference_does(told_together, runtime, network):
    job = JOBS[network]
    told = told_together(runtime, list(JOBS.values()))[list(JOBS).index(network)]
    expected = networks.build(network, job["image_shape"], job["classes"])
    assert told["network"]["parameter_count"] == expected.parameter_count
    assert told["parity"]["passed"]
    assert told["parity"]["logits"] < 1e-5
    assert told["latency"]["call_seconds"]


@every_runtime
def test_a_runtime_refuses_to_train(told_together, runtime):
    (told,) = told_together(runtime, [examples.small_images("lenet")])
    assert told["error"]["kind"] == "unsupported"
    assert "predicts only" in told["error"]["message"]
