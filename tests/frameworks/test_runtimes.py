"""Runtimes, which only predict: each network as the reference predicts it, and what they refuse."""

import adapters
import examples
import numpy as np
import pytest

from trainmark.runs import events
from trainmark.study import plugins, stages
from worker.networks import build, is_language_model

INFER = {"stage": "infer", **stages.NO_UPDATE}
JOBS = {name: examples.small_images(name, **INFER) for name in examples.TRIED}

LACKED = {name: {"text_lstm"} for name in ("litert_js", "tensorflow_js", "tensorflow_lite")}
"""The networks for which a runtime has no operators."""
WITH_ALL_LAYERS = ("lenet5", "resnet20", "alexnet", "mobilenet_v2", "text_encoder", "text_lstm")
EXPORTERS = ("onnxruntime", "litert", "tensorflow_js")
"""A runtime of each format that is written here; the others read the same files."""


def of(runtime):
    """The networks that are tried in a runtime."""
    return list(JOBS) if runtime in EXPORTERS else [*WITH_ALL_LAYERS]


PAIRS = [(runtime, network) for runtime in adapters.RUNTIMES for network in of(runtime)]
is_in_a_third = adapters.every(3, adapters.RUNTIMES, [*WITH_ALL_LAYERS], ("lenet5", "resnet20"))


def is_chosen(runtime, network):
    """Those who write here have all layers in `make test`, those who read the same files some."""
    return network in WITH_ALL_LAYERS and (runtime in EXPORTERS or is_in_a_third(runtime, network))


FORMS = {"float16": 1, "int8-weights": 2, "int8-dynamic": 2, "int8-static": 2}
"""By how many times the model's file is smaller at least, than in float32, less one."""
OFFERED = [
    (runtime, form)
    for runtime in adapters.RUNTIMES
    for form in FORMS
    if form in plugins.facts("framework", runtime)["PRECISIONS"]["cpu"]
]
LARGE = examples.small_images("alexnet", **INFER, precision="int8-weights")
# On AMD's Zen 4, OpenVINO 2026.4 computes int8-static wrongly with 8 of these images and fewer.
OF_FORMS = {
    form: examples.small_images("lenet5", **INFER, precision=form, batch_size=16) for form in FORMS
}
IMAGES = {**examples.LENET, "keep_weights": True}
TEXTS = examples.small_images(
    "text_lstm",
    dataset="synthetic-1x1x4-10",  # a longer text forgets what was before it
    image_shape=[1, 1, 4],
    input_mode="dataset",
    pixels={"mean": "none"},
    evaluate=True,
    keep_weights=True,
    learning_rate=0.1,
)


@pytest.fixture(scope="module")
def log_of(job_events, selected):
    """What a runtime tells of a network, of a form of LeNet-5 or of a training, in one process."""

    def of_network(runtime, name):
        function = test_a_runtime_predicts_what_the_reference_does.__name__
        networks = dict.fromkeys([*selected(function, "network", runtime=runtime), "lenet5"])
        forms = {form: OF_FORMS[form] for each, form in OFFERED if each == runtime}
        jobs = {network: JOBS[network] for network in networks} | forms
        if runtime == "litert":
            jobs |= {"large": LARGE, "training": examples.small_images("lenet")}
        return job_events(runtime, [*jobs.values()])[[*jobs].index(name)]

    return of_network


@pytest.mark.parametrize(("runtime", "network"), adapters.params(PAIRS, is_chosen))
def test_a_runtime_predicts_what_the_reference_does(log_of, runtime, network):
    job, log = JOBS[network], log_of(runtime, network)
    if is_language_model(network) or network in LACKED.get(runtime, ()):
        assert events.last(log, "error")["kind"] == "unsupported"
        return
    expected = build(network, job["image_shape"], job["classes"])
    assert events.last(log, "network")["parameter_count"] == expected.parameter_count
    assert events.last(log, "parity")["passed"]
    assert events.last(log, "parity")["logits"] < 1e-5
    assert events.last(log, "latency")["call_seconds"]


@pytest.mark.parametrize(("runtime", "form"), OFFERED)
def test_a_form_is_proven_in_float32_and_is_smaller(log_of, runtime, form):
    whole, reduced = log_of(runtime, "lenet5"), log_of(runtime, form)
    parity = events.last(reduced, "parity")
    assert parity["passed"]
    assert 1e-4 < parity["logits"] < 0.1
    sizes = [events.last(log, "model")["bytes"] for log in (reduced, whole)]
    assert (1 + FORMS[form]) * sizes[0] < 1.1 * sizes[1]
    stored = form.partition("-")[0]
    assert any(name.endswith(stored) for name in events.last(reduced, "network")["weight_types"])


def test_weights_that_a_quantiser_writes_behind_a_large_graph_are_counted(log_of):
    """LiteRT's writes those of more than 256 KiB so; the rest of the file is the graph."""
    log = log_of("litert", "large")
    network = events.last(log, "network")
    assert "int8" in network["weight_types"]
    assert 0.9 < network["model_bytes"] / events.last(log, "model")["bytes"] < 1


@pytest.mark.parametrize(
    ("runtime", "training"),
    [*((runtime, IMAGES) for runtime in adapters.RUNTIMES), ("litert", TEXTS)],
    ids=[*adapters.RUNTIMES, "litert-text_lstm"],
)
def test_a_runtime_predicts_the_test_split_with_the_weights_of_a_training(
    run_folder, host_environment, runtime, training
):
    """As the framework did that trained them, image by image; no text is continued in the next."""
    trained, _ = run_folder("numpy", training, host_environment)
    job = {
        **training,
        "keep_weights": False,
        **INFER,
        "batch_size": 7,
        "trained_by": "numpy",
        "trained": str(trained / "weights.npz"),
    }
    folder, (log, rejected) = run_folder(runtime, job)
    expected, predictions = (np.load(each / "predictions.npz") for each in (trained, folder))
    np.testing.assert_array_equal(predictions["labels"], expected["labels"])
    np.testing.assert_allclose(predictions["logits"], expected["logits"], rtol=1e-4, atol=1e-4)
    assert events.last(log, "evaluation")["count"] == len(predictions["labels"])
    assert [path.suffix for path in (folder / "model").iterdir()]
    assert rejected == 0


def test_a_runtime_refuses_to_train(log_of):
    error = events.last(log_of("litert", "training"), "error")
    assert error["kind"] == "unsupported"
    assert "predicts only" in error["message"]
