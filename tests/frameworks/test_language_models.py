"""Language models learn from text: the same in each framework, on two devices, in bfloat16."""

import adapters
import examples
import pytest

from trainmark.runs import events

SENTENCES = {
    **examples.small_images("char_lstm"),
    "dataset": "sentences-tokens32",
    "image_shape": [1, 1, 32],
    "pixels": {"mean": "none"},
    "shuffle": True,
    "input_mode": "dataset",
    "optimiser": "adam",
    "momentum": 0.0,
    "weight_decay": 0.0,
    "learning_rate": 0.003,
    "batch_size": 64,
    "steps": 20,
    "evaluate": True,
}
LACKING = ("tensorflow1", "caffe_train")
LEARNING = [name for name in adapters.TRAINING if name not in LACKING]
WHOLE = {"theano": pytest.mark.whole}  # it compiles for a minute
IN_BYTES_AT_FIRST = 5.545  # the logarithm of 256, by which a model of even logits begins


@pytest.mark.parametrize(
    "adapter", [pytest.param(name, marks=WHOLE.get(name, ())) for name in LEARNING]
)
def test_each_framework_learns_the_same_from_its_own_files(adapter, run_events, numpys):
    log = run_events(adapter, SENTENCES).events
    evaluation, expected = (events.last(each, "evaluation") for each in (log, numpys))
    assert evaluation["count"] == expected["count"] == 2048 * 32
    assert evaluation["loss"] == pytest.approx(expected["loss"], rel=1e-3)
    assert evaluation["loss"] < 0.7 * IN_BYTES_AT_FIRST


@pytest.fixture(scope="module")
def numpys(run_events):
    """The reference's own training."""
    return run_events("numpy", SENTENCES).events


@pytest.mark.parametrize(
    "adapter", adapters.every_nth(3, [a for a in LEARNING if a in adapters.ON_SEVERAL_DEVICES])
)
def test_two_devices_do_the_work_of_the_reference(adapter, run_events):
    job = examples.small_images("char_lstm", device="cpu:2", threads=2)
    parity = events.last(run_events(adapter, job).events, "parity")
    assert parity["passed"], parity
    assert parity["error"] < 1e-3


NARROW = {"pytorch": ["bfloat16"], "tensorflow": ["bfloat16"], "jax": ["bfloat16", "float32"]}
"""The types of products; JAX's attention has float32 in its gradient."""


@pytest.mark.parametrize("adapter", NARROW)
def test_bfloat16_trains_a_decoder(adapter, run_events):
    log = run_events(adapter, examples.small_images("gpt2_mini", precision="bfloat16")).events
    exact, narrow = (event for event in log if event["event"] == "parity")
    assert exact["passed"]
    assert narrow["passed"], narrow
    assert events.last(log, "network")["compute_types"] == NARROW[adapter]
