"""A job that an adapter does not support is refused in one line, with what it supports."""

import examples
import pytest

from worker import support
from worker.events import Unsupported
from worker.job import Job

JOB = Job(**examples.LENET)
PRECISIONS = {"cpu": ("float32", "bfloat16"), "cuda": ("float32", "tf32")}
OPTIONS = {"compile": False, "inference_weights": "cast"}
MISSING = {"float16": "no processor of its time had it"}


def check(**settings):
    return support.check(JOB._replace(**settings), PRECISIONS, OPTIONS, ["cuda"], MISSING)


def test_options_are_completed_by_the_adapters_own():
    assert check(options={"compile": True}) == {"compile": True, "inference_weights": "cast"}


@pytest.mark.parametrize(
    ("device", "precision"), [("cpu", "bfloat16"), ("cuda:1", "tf32"), ("cuda:2", "float32")]
)
def test_what_it_has_on_a_device_is_let_through(device, precision):
    assert check(device=device, precision=precision) == OPTIONS


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"device": "cpu:2"}, "cpu:2: numpy trains on one device"),
        (
            {"precision": "float16"},
            "no processor of its time had it",
        ),
        (
            {"precision": "tf32"},
            "tf32 is a mode of NVIDIA GPUs from Ampere on",
        ),
        (
            {"device": "cuda:1", "precision": "bfloat16"},
            "numpy has no bfloat16 on cuda; supported: float32, tf32",
        ),
        ({"options": {"fast": 1}}, "option fast is not supported; supported: compile, fold"),
        ({"options": {"compile": "yes"}}, "option compile is 'yes'; it must be a bool"),
    ],
)
def test_what_is_not_supported_is_refused(settings, reason):
    with pytest.raises(Unsupported) as refusal:
        check(**settings)
    assert reason in str(refusal.value)


def test_an_option_has_one_of_its_values():
    support.check_value("inference_weights", OPTIONS, ["cast", "autocast"])
    with pytest.raises(Unsupported, match=r"^option inference_weights is 'cast'; it must be half"):
        support.check_value("inference_weights", OPTIONS, ["half", "autocast"])


@pytest.mark.parametrize("precision", ["tf32", "bfloat16"])
def test_a_gpu_older_than_a_precision_is_refused(precision):
    job = JOB._replace(device="cuda:1", precision=precision)
    support.check_capability(job, (8, 0))
    with pytest.raises(Unsupported, match=rf"^{precision} is for .*; this has compute .* 7\.5$"):
        support.check_capability(job, (7, 5))


def test_any_gpu_is_new_enough_for_float16():
    support.check_capability(JOB._replace(device="cuda:1", precision="float16"), (6, 1))
