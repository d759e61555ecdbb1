"""What is said of a run that ended well and still makes no sense."""

import pytest

from trainmark.analyse.checks import violations
from trainmark.analyse.run import Run

RECORD = {"status": "ok", "job": {"steps": 2, "batch_size": 8}}
WINDOW = {"steps": 2, "images": 16, "step_end_seconds": [0.1, 0.2], "losses": [2.3, 2.1]}


def run(version="2.4.1", **window):
    events = {"environment": {"version": version}, "window_end": WINDOW | window}
    return Run(RECORD, events)


def test_a_sound_run_has_no_violations():
    assert violations(run()) == []


@pytest.mark.parametrize(
    ("change", "violation"),
    [
        ({"losses": [2.3, None]}, "the loss is not finite from step 2 on"),
        ({"step_end_seconds": [0.1]}, "1 steps instead of 2"),
        ({"images": 8}, "8 images instead of 16"),
        ({"version": ""}, "the framework's version is unknown"),
    ],
)
def test_a_violation_is_said(change, violation):
    assert violations(run(**change)) == [violation]


def test_missing_events_are_said_once_each():
    assert violations(Run(RECORD, {})) == [
        "the worker's log has no window_end event",
        "the worker's log has no environment event",
    ]


def test_the_recorded_runs_that_are_ok_are_sound(recorded_runs):
    sound = [run for run in recorded_runs if run.record["status"] == "ok"]
    assert sound and not any(violations(run) for run in sound)
