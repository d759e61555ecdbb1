"""When a configuration was measured often enough."""

import pytest

from trainmark.analyse.across.enough import reason_to_stop
from trainmark.analyse.measurements import tabulate
from trainmark.analyse.run.recording import Run


def record(images_per_second, status="ok"):
    window = {"start_seconds": 100.0, "end_seconds": 100.0 + 640 / images_per_second}
    return {"status": status, "images": 640, "window": window}


NARROW = [record(100.0), record(101.0), record(99.0)]  # ± 2.48 %


@pytest.mark.parametrize(
    ("records", "percent", "reason"),
    [
        (NARROW, 3.0, "the interval of 3 repeats is ± 2.48 %"),
        (NARROW, 2.0, None),
        ([record(100.0)], 50.0, None),
        ([record(100.0), record(9.0, "failed")], 50.0, None),
        ([record(1.0, "failed")] * 3, 2.0, "none of 3 repeats was ok"),
    ],
)
def test_repeats_end_when_the_interval_is_narrow(records, percent, reason):
    assert reason_to_stop(records, percent) == reason


def test_a_repeat_that_was_not_needed_is_no_run(recorded_runs):
    left_out = Run({**recorded_runs[0].record, "status": "not_needed"})
    assert tabulate([left_out]).empty
