"""Messages about a run that ended well and still makes no sense."""

import examples
import numpy as np
import pandas as pd
import pytest

from trainmark.analyse.run.checks import violations
from trainmark.analyse.run.recording import Run

STEPS = 60
LENET = examples.LENET | {"steps": STEPS, "batch_size": 8, "threads": 2}
RECORD = {
    "status": "ok",
    "job": LENET,
    "load": {"own_cpu": 1.9, "other_cpu": 0.0, "steal": 0.0},
    "provenance": {"host": {"cores": 2}},
}
FALLING = [2.3 * 0.97**step for step in range(STEPS)]
EVEN = [(step + 1) / 10 for step in range(STEPS)]
EVENTS = {
    "environment": {"version": "2.4.1", "threads": 2},
    "network": {"weight_types": ["float32"], "compute_types": ["float32"]},
    "settled": {"steady": True},
    "window_start": {"time_seconds": 100.0},
    "window_end": {
        "time_seconds": 100.0 + EVEN[-1],
        "steps": STEPS,
        "step_end_seconds": EVEN,
        "losses": FALLING,
    },
}
GPU_JOB = LENET | {"device": "cuda:1"}


def run(event="end", record=None, telemetry=None, **changes):
    """A sound run, but for the changes of one event and of the record."""
    events = EVENTS | {event: EVENTS.get(event, {}) | changes}
    return Run(RECORD | (record or {}), events, pd.DataFrame(telemetry or {}))


def test_a_sound_run_has_no_violations():
    assert violations(run()) == []


@pytest.mark.parametrize(
    ("event", "change", "violation"),
    [
        ("window_end", {"losses": [2.3, None]}, "the loss is not finite from step 2 on"),
        (
            "window_end",
            {"losses": [2.3 * 1.02**step for step in range(STEPS)]},
            "the loss rises from 2.65 to 6.46, above that of guessing",
        ),
        ("window_end", {"step_end_seconds": EVEN[:-1]}, "59 steps instead of 60"),
        ("environment", {"version": ""}, "the framework's version is unknown"),
        ("environment", {"threads": 16}, "16 threads instead of 2"),
        (
            "network",
            {"weight_types": ["float16", "float32"]},
            "weights of float16",
        ),
        ("settled", {"steady": False}, "step times were not steady before the window"),
        (
            "window_end",
            {"step_end_seconds": [6 * (step / STEPS) ** 1.3 for step in range(1, STEPS + 1)]},
            "step times drift by +62 % over the window",
        ),
    ],
)
def test_a_violation_is_reported(event, change, violation):
    assert violations(run(event, **change)) == [violation]


@pytest.mark.parametrize(
    ("cores", "violation"),
    [(0.05, "only 0.05 cores used on the CPU"), (4.2, "4.2 cores used of 2")],
)
def test_a_load_that_cannot_be_the_runs_own(cores, violation):
    load = RECORD["load"] | {"own_cpu": cores}
    assert violations(run(record={"load": load})) == [violation]


def test_a_gpu_that_was_idle_did_not_train():
    times = np.arange(99.9, 106.2, 0.1)
    busy = {"time_seconds": times, "gpu0_utilisation_percent": 93.0}
    idle = {"time_seconds": times, "gpu0_utilisation_percent": 0.0}
    assert violations(run(record={"job": GPU_JOB}, telemetry=busy)) == []
    messages = violations(run(record={"job": GPU_JOB}, telemetry=idle))
    assert messages == ["GPU 0 was idle (0 % busy)"]


def test_a_run_of_least_seconds_may_do_more_steps_than_requested():
    job = LENET | {"steps": STEPS - 10, "window_seconds": 5.0}
    assert violations(run(record={"job": job})) == []
    more = violations(run(record={"job": job | {"window_seconds": 0}}))
    assert more == ["60 steps instead of 50"]


def test_a_load_over_a_window_too_short_for_samples_is_no_violation():
    short = {"time_seconds": 100.5, "step_end_seconds": [step / 12 for step in EVEN]}
    load = RECORD["load"] | {"own_cpu": 0.05}
    assert violations(run("window_end", record={"load": load}, **short)) == []


def test_a_gpu_without_readings_of_its_utilisation_is_no_violation():
    unreadable = {"time_seconds": [99.5, 106.5], "gpu0_utilisation_percent": [None, None]}
    assert violations(run(record={"job": GPU_JOB}, telemetry=unreadable)) == []


@pytest.mark.parametrize(
    ("precision", "types"),
    [("bfloat16", ["bfloat16"]), ("float16", ["float16"]), ("tf32", ["float32"])],
)
def test_narrow_types_are_computed_in_over_float32_weights(precision, types):
    half = {"job": RECORD["job"] | {"precision": precision}}
    assert violations(run("network", record=half, compute_types=types)) == []


def test_what_a_run_silently_did_in_float32_is_reported():
    half = {"job": RECORD["job"] | {"precision": "bfloat16"}}
    (message,) = violations(run("network", record=half, compute_types=["bfloat16", "float32"]))
    assert message == (
        "bfloat16 was requested; convolutions and products were computed in bfloat16, float32"
    )


def form(precision, weight_types, compute_types):
    job = RECORD["job"] | {"adapter": "onnxruntime", "stage": "infer", "precision": precision}
    types = {"weight_types": weight_types, "compute_types": compute_types}
    return violations(run("network", record={"job": job}, **types))


def test_a_form_of_a_model_has_the_types_that_it_is_called_by():
    assert form("float16", ["float16"], ["float32"]) == []
    assert form("int8-static", ["float32", "int32", "int8"], ["int8"]) == []
    assert form("int8-dynamic", ["float32", "int8"], ["float32", "int8"]) == []
    assert form("int8-weights", ["uint8"], ["float32"]) == []


def test_a_form_that_changed_nothing_is_reported():
    assert form("float16", ["float32"], ["float32"]) == [
        "float16 was requested; weights are of float32"
    ]
    assert form("int8-static", ["float32", "int8"], ["float32"]) == [
        "int8-static was requested; products are of float32"
    ]


def test_steps_too_few_to_tell_whether_they_were_steady_are_no_violation():
    assert violations(run("settled", steady=None)) == []


def test_a_loss_that_stays_where_it_was_is_no_violation():
    random_images = [2.3 + 0.01 * (step % 3) for step in range(STEPS)]
    assert violations(run("window_end", losses=random_images)) == []


def test_a_framework_that_queues_its_steps_has_no_drift():
    queued = [0.001 * (step + 1) for step in range(STEPS)]
    assert violations(run("window_end", step_end_seconds=queued)) == []


def test_missing_events_are_reported_once_each():
    assert violations(Run(RECORD, {})) == [
        "the worker's log has no window_end event",
        "the worker's log has no environment event",
        "the worker's log has no network event",
    ]


def test_the_recorded_runs_that_are_ok_are_sound(recorded_runs):
    sound = [run for run in recorded_runs if run.record["status"] == "ok"]
    assert sound and not any(violations(run) for run in sound)


def test_each_node_has_its_own_threads_and_cores():
    """Those of a job are of one node; what is reported is of all."""
    other = {"host": {"cores": 2}, "gpus": []}
    record = {
        "job": LENET | {"device": "cpu:2x1"},
        "load": {"own_cpu": 3.9, "other_cpu": 0.0, "steal": 0.0},
        "provenance": {"host": {"cores": 2}, "nodes": [other]},
    }
    telemetry = {"time_seconds": [100.0, 100.0 + EVEN[-1]]}
    messages = violations(run("environment", record, telemetry, threads=4))
    assert not any("threads" in line or "cores" in line for line in messages)
    alone = record | {"provenance": {"host": {"cores": 2}}}
    messages = violations(run("environment", alone, telemetry, threads=2))
    assert "2 threads instead of 4" in messages
    assert "3.9 cores used of 2" in messages
