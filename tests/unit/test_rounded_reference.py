"""Narrow types: rounding, the limits that follow from it, and switches that did nothing."""

import numpy
import pytest
from examples import LENET
from judged import judged, reference_of, shares

from worker import networks
from worker.events import ParityFailed
from worker.frameworks.numpy.adapter import Adapter
from worker.job import Job
from worker.proof import rounded, tolerances
from worker.proof.observe import training

JOB = Job(**LENET)._replace(batch_size=8, threads=1)
NETWORK = networks.build("lenet", (1, 28, 28), 10)
NARROW = pytest.mark.parametrize("precision", tolerances.NARROW)


@pytest.fixture(scope="module")
def references():
    """By precision."""
    return {
        name: reference_of(NETWORK, JOB._replace(precision=name), training)
        for name in tolerances.NARROW
    }


@pytest.mark.parametrize(("precision", "bits"), [("float16", 10), ("tf32", 10), ("bfloat16", 7)])
def test_a_tie_is_rounded_to_even_and_all_else_to_the_nearest(precision, bits):
    step = 2.0**-bits
    values = numpy.array([1, 1 + 0.5 * step, 1 + 0.51 * step, 1 + 1.5 * step, -1 - 0.49 * step])
    expected = numpy.array([1, 1, 1 + step, 1 + 2 * step, -1])
    numpy.testing.assert_array_equal(rounded.ROUND[precision](values), expected)


@pytest.mark.parametrize(("precision", "largest"), [("float16", 1e3), ("tf32", 1e38)])
def test_rounding_is_off_by_half_a_step_at_most(precision, largest):
    values = numpy.random.RandomState(1).uniform(-largest, largest, (4, 5))
    rounded_values = rounded.ROUND[precision](values)
    assert abs(rounded_values / values - 1).max() <= 2.0**-11
    assert rounded_values.shape == values.shape


def test_numbers_beyond_the_type_are_infinite():
    assert rounded.ROUND["float16"](numpy.array([1e6])) == numpy.inf
    assert rounded.ROUND["bfloat16"](numpy.array([numpy.inf])) == numpy.inf


@NARROW
def test_a_run_in_the_type_passes_and_one_in_float32_does_not(references, precision):
    job, reference = JOB._replace(precision=precision), references[precision]
    narrow = rounded.ADAPTERS[precision](job)
    assert max(shares(judged(reference, narrow, NETWORK, job)).values()) <= 0.25
    with pytest.raises(ParityFailed, match=f"^{precision} was requested but computed in float32: "):
        judged(reference, Adapter(JOB), NETWORK, job)


@NARROW
def test_the_same_reference_serves_the_proof_in_float32(references, precision):
    result = judged(references[precision], Adapter(JOB), NETWORK, JOB)
    assert result["passed"]
    assert result["limits"].items() <= tolerances.FLOAT32.items()


@NARROW
def test_what_is_computed_in_a_narrow_type_fails_as_float32(references, precision):
    narrow = rounded.ADAPTERS[precision](JOB._replace(precision=precision))
    result = judged(references[precision], narrow, NETWORK, JOB)
    assert shares(result)["logits"] > 5


def test_the_worst_error_is_of_what_binds(references):
    job = JOB._replace(precision="bfloat16")
    result = judged(references["bfloat16"], rounded.Mixed(job), NETWORK, job)
    assert result["limits"]["weight_decay"] == numpy.inf
    assert result["error"] == result["update"] < result["weight_decay"]


class WrongLogits(rounded.Mixed):
    def predict(self, batch):
        logits, labels = super().predict(batch)
        return 1.05 * logits, labels


def test_wrong_work_in_a_narrow_type_fails(references):
    job = JOB._replace(precision="bfloat16")
    result = judged(references["bfloat16"], WrongLogits(job), NETWORK, job)
    assert not result["passed"]


def limits_of(**errors):
    errors = {**dict.fromkeys(tolerances.FLOAT32, 1e-9), **errors}
    return tolerances.limits("bfloat16", tolerances.stored("bfloat16", errors))


def test_what_rounding_hides_binds_nothing():
    limits = limits_of(logits=0.01, gradient_norm=0.2, update=numpy.nan)
    assert (limits["logits"], limits["loss"]) == (0.04, 0.04)
    assert (limits["gradient_norm"], limits["update"]) == (numpy.inf, numpy.inf)


def test_errors_that_are_small_by_chance_count_as_two_roundings():
    eight_roundings = 8 * 2.0**-8
    assert limits_of() == {
        name: max(limit, eight_roundings) for name, limit in tolerances.FLOAT32.items()
    }
