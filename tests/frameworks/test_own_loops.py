"""Frameworks' own loops do the reference's work, and print a log that states its speed."""

import adapters
import examples
import numpy as np
import pytest

from trainmark.runs import events

JOB = {**examples.LENET, "steps": 12}
IN_ORDER = ["start", "environment", "built", "first_step", "parity", "network", "warmup"]
IN_ORDER += ["logged", "window_start", "window_end", "evaluation", "end"]
RESNET = examples.small_images("resnet20", steps=2, weight_decay=0.01)
SCHEDULE = {"steps": {"every": 4, "factor": 0.5}}
REFUSED = {
    ("pytorch_imagenet", "keeps its rate"): {"schedule": SCHEDULE},
    ("pytorch_imagenet", "counts steps alone"): {"max_seconds": 10.0},
    ("pytorch_imagenet", "has no stage infer"): {"stage": "infer", "input_mode": "synthetic"},
    ("pytorch_imagenet", "has no bfloat16"): {"precision": "bfloat16"},
    ("pytorch_imagenet", "option bogus is not supported"): {"options": {"bogus": True}},
    ("keras_fit", "one rate for all variables"): {"bias_rate": 2.0},
    ("keras_fit", "keeps no decoded images"): {"input_mode": "cached"},
}

every_loop = pytest.mark.parametrize("adapter", adapters.OWN_LOOPS)


@every_loop
def test_it_does_the_reference_work_by_its_own_step(run_events, adapter):
    parity = events.last(run_events(adapter, JOB).events, "parity")
    assert parity["passed"]
    assert parity["error"] < 1e-2


@every_loop
def test_it_learns_what_the_reference_learns(run_events, host_environment, adapter):
    reference = run_events("numpy", JOB, host_environment).events
    log = run_events(adapter, JOB).events
    losses = [events.last(each, "window_end")["losses"] for each in (log, reference)]
    np.testing.assert_allclose(*losses, rtol=2e-3)
    shares = [events.last(each, "evaluation")["top1"] for each in (log, reference)]
    assert shares[0] == pytest.approx(shares[1], abs=1)  # three images of 297


@every_loop
def test_its_log_states_a_speed_between_the_worker_s_own_events(run_events, adapter):
    log, rejected = run_events(adapter, JOB)
    assert rejected == 0
    kinds = [event["event"] for event in log]
    expected = list(IN_ORDER)
    if adapter == "theano_tutorial":  # whose 0.00 minutes say nothing of so few steps
        expected = [kind for kind in expected if kind != "logged" or "logged" in kinds]
    assert kinds == expected
    described = events.last(log, "environment")
    assert described["framework"] == adapter
    window = events.last(log, "window_end")
    assert (window["steps"], window["images"]) == (12, 12 * 64)
    assert window["wait_seconds"] is None


@every_loop
def test_it_does_the_work_of_a_network_with_batch_norms_and_decay(job_events, adapter):
    (log,) = job_events(adapter, [RESNET])
    parity = events.last(log, "parity")
    assert parity["passed"], parity
    assert parity["error"] < 1e-2
    assert events.last(log, "window_end")["steps"] == 2


@pytest.mark.parametrize(
    ("adapter", "reason"),
    adapters.params(list(REFUSED), lambda _, reason: "keeps" in reason),
)
def test_it_says_what_it_cannot_do(refused, reference, adapter, reason):
    job = {**JOB, "reference": str(reference(JOB)), **REFUSED[adapter, reason]}
    assert reason in refused(adapter, job)
