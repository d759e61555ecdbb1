"""Logs of MXNet's loops become statements. Their sources: tests/data/logs/sources.csv."""

from datetime import datetime
from math import inf, isnan

import pytest
from recorded_logs import lines, read

from trainmark.runs.logs.statements import Progress


def speedometer(log):
    return read("mxnet_speedometer", lines(log))


def estimator(log):
    return read("mxnet_estimator", lines(log))


def test_speedometer_says_a_speed_and_the_epoch_its_time():
    first, *_, time = speedometer("mxnet_speedometer")[:4]
    assert first == Progress(6, 0, images_per_second=20738.86, loss=2.302338)
    assert time == Progress(epoch=0, seconds=0.21, is_total=True)


def test_speedometers_batches_are_counted_from_0_in_each_epoch():
    steps = [(one.epoch, one.step) for one in speedometer("mxnet_speedometer") if one.step]
    assert steps == [(0, 6), (0, 11), (0, 16), (1, 6), (1, 11), (1, 16)]


def test_a_line_for_each_metric_says_the_same_speed_again():
    stated = speedometer("mxnet_speedometer_2016")
    assert [one.step for one in stated] == [3701] * 4 + [3751] * 4
    assert {one.images_per_second for one in stated} == {47.3}


def test_a_loss_and_a_stamp_are_taken_where_they_are():
    first, second, time, *_ = speedometer("mxnet_speedometer_2017")
    assert (first.loss, second.loss) == (22.763932, None)
    assert first.time == datetime(2017, 5, 9, 15, 7, 21, 268_000)
    assert (time.time - first.time).total_seconds() == pytest.approx(89.684)


def test_a_stamp_without_a_day_is_none():
    assert {one.time for one in speedometer("mxnet_speedometer_2018")} == {None}


def test_speedometer_of_r_names_no_epoch_and_counts_from_1():
    stated = speedometer("mxnet_speedometer_r")
    assert [one.step for one in stated] == [*range(50, 451, 50), 50]
    assert {one.epoch for one in stated} == {None}


def test_speedometer_before_memory_ran_out():
    assert [one.images_per_second for one in speedometer("mxnet_speedometer_out_of_memory")] == [
        0.33,
        0.27,
        0.34,
    ]


def test_speedometers_loss_that_is_not_a_number():
    losses = [one.loss for one in speedometer("mxnet_speedometer_nan") if one.step]
    assert len(losses) == 6
    assert all(map(isnan, losses))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "INFO:root:Iter[0] Batch [50]    Speed: 1315.65 samples/sec",
            Progress(51, 0, images_per_second=1315.65),
        ),
        (
            "Epoch[0] Batch [49]\tSpeed: 829.012392 samples/sec\taccuracy=0.172578",
            Progress(50, 0, images_per_second=829.012392),
        ),
        (
            "Epoch[0] Batch [0-5]\tSpeed: inf samples/sec",
            Progress(6, 0, images_per_second=inf),
        ),
        ("Epoch[0] Validation-accuracy=0.113281", None),
    ],
)
def test_other_lines_of_speedometer(line, expected):
    assert read("mxnet_speedometer", [line]) == ([expected] if expected else [])


def test_estimator_says_times_and_of_how_many_images_they_are():
    stated = [one for one in estimator("mxnet_estimator") if one.step]
    assert [(one.epoch, one.step, one.images) for one in stated] == [
        (0, 1, 64),
        (0, 9, 512),
        (0, 17, 512),
        (1, 1, 256),  # three of the epoch before
        (1, 9, 512),
        (1, 17, 512),
    ]
    assert [one.seconds for one in stated] == [0.046, 0.02, 0.024, 0.008, 0.016, 0.014]


def test_estimators_epochs_have_their_times_and_validation_none():
    times = [one for one in estimator("mxnet_estimator") if one.is_total]
    assert times == [
        Progress(epoch=0, seconds=0.137, is_total=True),
        Progress(epoch=1, seconds=0.082, is_total=True),
    ]


def test_estimators_log_without_its_begin_does_not_say_of_how_many_images_its_first_time_is():
    stated = [one.images for one in read("mxnet_estimator", lines("mxnet_estimator")[3:6])]
    assert stated == [None, 512, 512]


def test_a_second_training_counts_its_samples_anew():
    log = lines("mxnet_estimator")
    stated = [one.images for one in read("mxnet_estimator", log + log) if one.step]
    assert stated == 2 * [64, 512, 512, 256, 512, 512]


def test_estimators_loss_that_is_not_a_number():
    first, *others = estimator("mxnet_estimator_nan")
    assert first.loss == 2.3521
    assert [isnan(one.loss) for one in others] == [True] * 7


def test_estimator_as_it_was_announced_times_a_batch():
    batch, epoch, *_ = estimator("mxnet_estimator_2019")
    assert batch == Progress(epoch=0, seconds=1.42, steps=1, loss=2.9419)
    assert epoch == Progress(epoch=0, seconds=51.375, is_total=True, loss=0.575)


def test_estimator_of_1_5_times_each_batch():
    line = "[Epoch 0][Batch 2][Samples 192] time/batch: 0.112s accuracy: 0.1, loss: 2.3"
    expected = Progress(3, 0, seconds=0.112, steps=1, loss=2.3)
    assert read("mxnet_estimator", [line]) == [expected]
