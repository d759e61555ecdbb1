"""Narrow types on the processor: equal work in every stage, read back from what computed it."""

from pathlib import Path

import adapters
import examples
import pytest

from trainmark.runs import events
from trainmark.study import plugins, stages
from worker.libraries import processor, tiles

PROBE = Path(__file__).parent / "probe_idle_switch.py"
LENET = {
    **examples.LENET,
    "input_mode": "synthetic",
    "batch_size": 8,
    "steps": 1,
    "evaluate": False,
}
STAGES = {"train": {}, "infer": stages.NO_UPDATE, "gradients": stages.NO_UPDATE}
WHOLE = pytest.mark.whole


def on_cpu(precision):
    """The adapters that compute in it there, by the tops of their files."""
    return [
        pytest.param(name, marks=adapters.needs(name, precision))
        for name in adapters.TRAINING
        if precision in adapters.precisions_on_cpu(name)
    ]


CASTING = ["pytorch", "tensorflow", "jax"]
"""Adapters that cast weights once for prediction; others do in each call."""
AUTOCAST = {"inference_weights": "autocast"}
VGG16 = examples.small_images("vgg16", precision="bfloat16", stage="infer", **stages.NO_UPDATE)
TEXT = examples.small_images("text_lstm", precision="bfloat16", stage="infer", **stages.NO_UPDATE)
BYTES = {"float32": 4, "bfloat16": 2}


def job_of(precision, stage="train", **settings):
    return {**LENET, "precision": precision, "stage": stage, **STAGES[stage], **settings}


@pytest.fixture(scope="module")
def log_of(job_events):
    """What an adapter tells in narrow types of its stages and ways to predict, in one process."""

    def of_job(adapter, name):
        jobs = {stage: job_of("bfloat16", stage) for stage in STAGES}
        if adapter in CASTING:
            jobs["autocast"] = job_of("bfloat16", "infer", options=AUTOCAST)
        if adapter == "jax":
            jobs["vgg16"] = VGG16
        if adapter == "tensorflow":
            jobs["text"] = TEXT
        if adapter in [param.values[0] for param in on_cpu("float16")]:
            jobs["float16"] = job_of("float16")
        return job_events(adapter, [*jobs.values()])[[*jobs].index(name)]

    return of_job


def check(log, precision, weights="float32"):
    """It is proven in float32 first, then in its own type, and says that it computed in that."""
    exact, narrow = (event for event in log if event["event"] == "parity")
    assert exact["passed"]
    assert narrow["passed"]
    assert exact["logits"] < 1e-5 < 1e-4 < narrow["logits"]
    network = events.last(log, "network")
    assert network["compute_types"] == [precision]
    assert network["weight_types"] == [weights]
    assert network["model_bytes"] == BYTES[weights] * network["parameter_count"]


def test_the_maximum_after_two_convolutions_is_of_what_they_computed(log_of):
    """XLA's maximum gives infinities there: resources/errors/jax_reduce_window.py."""
    check(log_of("jax", "vgg16"), "bfloat16", "bfloat16")


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("adapter", on_cpu("bfloat16"))
def test_bfloat16_does_the_reference_work_in_each_stage(log_of, adapter, stage):
    weights = "bfloat16" if stage == "infer" and adapter in CASTING else "float32"
    check(log_of(adapter, stage), "bfloat16", weights)


@pytest.mark.parametrize("adapter", on_cpu("float16"))
def test_float16_does_so_by_scaled_gradients(log_of, adapter):
    check(log_of(adapter, "float16"), "float16")


@pytest.mark.parametrize("adapter", [one for one in on_cpu("bfloat16") if "mxnet" in one.values])
def test_mxnet_is_told_of_amx_where_processor_and_linux_have_it(run_events, adapter):
    log, _ = run_events(adapter, job_of("bfloat16"))
    check(log, "bfloat16")
    has_amx = processor.AMX_FLAG in Path("/proc/cpuinfo").read_text().split() and tiles.request()
    assert (processor.AMX.items() <= events.last(log, "environment")["flags"].items()) == has_amx


def test_what_computes_in_float32_all_the_same_is_read_back(log_of):
    log = log_of("tensorflow", "text")
    assert events.last(log, "network")["compute_types"] == ["bfloat16", "float32"]


@pytest.mark.parametrize("adapter", CASTING)
def test_weights_may_stay_in_float32_in_prediction(log_of, adapter):
    check(log_of(adapter, "autocast"), "bfloat16")


def first_of(params):
    """Parameters of which `make test` has the first."""
    others = [pytest.param(*one.values, marks=[*one.marks, WHOLE]) for one in params[1:]]
    return [*params[:1], *others]


ON_SEVERAL = [one for one in on_cpu("bfloat16") if one.values[0] in adapters.ON_SEVERAL_DEVICES]


@pytest.mark.parametrize("adapter", first_of(ON_SEVERAL))
def test_each_of_two_devices_computes_in_bfloat16(run_events, adapter):
    log, rejected = run_events(adapter, job_of("bfloat16", device="cpu:2", threads=2))
    check(log, "bfloat16")
    assert rejected == 0


@pytest.mark.parametrize("adapter", first_of(on_cpu("bfloat16")))
def test_a_switch_that_does_nothing_fails(
    run_script, reference, framework_environment, tmp_path, adapter
):
    job = job_of("bfloat16", "infer")
    adapter_job = {**examples.of_adapter(job, adapter), "reference": str(reference(job))}
    arguments = (plugins.SCRIPTS, "job.json")
    environment = framework_environment(adapter)
    printed = run_script(environment, PROBE, adapter_job, tmp_path / "run", *arguments, status=4)
    error = events.last(events.parse(printed), "error")
    assert error["message"].startswith("bfloat16 was requested but computed in float32: logits off")


@pytest.mark.parametrize(
    ("adapter", "settings", "reason"),
    [
        ("caffe", {}, "Caffe knows no precision but float32"),
        ("pytorch", {"options": {"freeze": True}}, "option freeze is for stage infer and needs"),
        ("pytorch", {"options": {"autotune": True}}, "option autotune needs option compile"),
        (
            "pytorch",
            {"options": {"compile": True, "autotune": True}},
            "option autotune needs option freeze on processors",
        ),
        ("mxnet", {"options": {"fuse": True}}, "option fuse is for stage infer on processors"),
        (
            "pytorch",
            {"options": {"inference_weights": "float32"}},
            "option inference_weights is 'float32'; it must be cast or autocast",
        ),
    ],
)
def test_what_it_cannot_is_refused_in_one_line(refused, adapter, settings, reason):
    assert refused(adapter, job_of("bfloat16", **settings)).startswith(reason)
