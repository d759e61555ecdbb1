"""When a configuration was measured often enough."""

from pathlib import Path

import pytest
from recorded import STUDY

from trainmark.analyse.compare.enough import reason_to_stop
from trainmark.analyse.csv.measurements import tabulate
from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.value import main_values

NARROW = [100.0, 101.0, 99.0]  # ± 2.48 %


@pytest.mark.parametrize(
    ("values", "repeats", "percent", "reason"),
    [
        (NARROW, 3, 3.0, "the interval of 3 repeats is ± 2.48 %"),
        (NARROW, 3, 2.0, None),
        ([100.0], 1, 50.0, None),
        ([100.0], 2, 50.0, None),
        ([], 3, 2.0, "none of 3 repeats was ok"),
    ],
)
def test_repeats_end_when_the_interval_is_narrow(values, repeats, percent, reason):
    assert reason_to_stop(values, repeats, percent) == reason


def test_it_is_asked_of_the_main_metric_of_each_run_that_has_one():
    run_path = STUDY / "runs" / "{}" / "mxnet/cpu/float32/train-dataset/r1"
    ok, failed = (Path(str(run_path).format(case)) for case in ("lenet-digits", "resnet50-cifar10"))
    ((metric, value),) = main_values([ok, failed])
    assert metric == "training_speed"
    assert value > 0
    assert list(main_values([failed])) == []


def test_a_repeat_that_was_not_needed_is_no_run(recorded_runs):
    left_out = Run({**recorded_runs[0].record, "status": "not_needed"})
    assert tabulate([left_out]).empty
