"""Logs of published examples become statements. Their sources: tests/data/logs/sources.csv."""

from datetime import datetime
from math import isnan

import pytest
from recorded_logs import lines, read

from trainmark.runs.logs.statements import NO_YEAR, Progress


def pytorch(log):
    return read("pytorch_imagenet", lines(log))


def flax(log):
    return read("flax", lines(log))


def tensorflow(log):
    return read("tf_cnn_benchmarks", lines(log))


def test_pytorchs_mean_time_is_of_all_steps_of_the_epoch():
    first, second, *_ = pytorch("pytorch_imagenet")
    assert first == Progress(1, 0, seconds=60.0, steps=1, is_total=True, loss=6.9078)
    assert (second.step, second.seconds) == (21, 4.022)


def test_pytorchs_steps_are_counted_from_0_or_from_1():
    assert [one.step for one in pytorch("pytorch_imagenet")] == [1, 21, 41, 61, 81, 101, 121]
    assert [one.step for one in pytorch("pytorch_imagenet_2020")] == [1, 11, 21, 31, 41]


def test_pytorchs_log_without_its_begin_is_taken_at_its_word():
    assert [one.step for one in pytorch("pytorch_imagenet_2017")] == [14, 15, 16, 17, 18]


def test_other_words_between_pytorchs_lines():
    assert [one.seconds for one in pytorch("pytorch_imagenet_2018")] == [203.582, 12.315]


def test_pytorch_without_memory_says_nothing():
    assert "out of memory" in "".join(lines("pytorch_imagenet_out_of_memory"))
    assert pytorch("pytorch_imagenet_out_of_memory") == []


def test_pytorchs_loss_that_is_not_a_number():
    line = "Epoch: [0 ][20 /391]\tTime 0.018 (0.052)\tData 0.000 (0.009)\tLoss nan (nan)\tPrec@1 9"
    (stated,) = read("pytorch_imagenet", [line])
    assert (stated.step, stated.epoch, stated.seconds) == (20, 0, 0.052)
    assert isnan(stated.loss)


@pytest.mark.parametrize(
    "line",
    [
        "Test: [  0/196]\tTime  3.1 ( 3.1)\tLoss 6.9e-01 (6.9e-01)\tAcc@1  82.03 ( 82.03)",
        "Epoch: [0]  [ 103/5005]  eta: 4:43:31  lr: 0.1  loss: 6.85 (6.94)  time: 2.54",
    ],
)
def test_what_is_none_of_pytorchs_training_lines(line):
    assert read("pytorch_imagenet", [line]) == []


def test_flax_says_how_many_steps_a_second_since_the_line_before():
    first, *_ = flax("flax")
    stamp = datetime(NO_YEAR, 9, 19, 14, 15, 27, 775_955)
    assert first == Progress(100, steps_per_second=2.183623, loss=6.95107364654541, time=stamp)


def test_flaxs_evaluation_says_nothing():
    assert "eval_accuracy=" in "".join(lines("flax"))
    assert [one.step for one in flax("flax")] == [100, 200, 300, 400, 6100, 6200]


def test_each_of_flaxs_processes_says_it():
    assert [one.step for one in flax("flax_several")] == [400] * 4 + [500] * 2


def test_flaxs_loss_that_is_not_a_number():
    assert [isnan(one.loss) for one in flax("flax_nan")] == [True] * 3


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "[100] steps_per_second=3.45679, train_accuracy=nan, train_loss=2.299999952316284",
            Progress(100, steps_per_second=3.45679, loss=2.299999952316284),
        ),
        ("[20] train_learning_rate=0.1, train_loss=2.5", Progress(20, loss=2.5)),
        (
            "INFO:absl:train epoch: 1, loss: 0.2352, accuracy: 92.94",
            Progress(epoch=1, loss=0.2352),
        ),
        ("INFO:absl:eval epoch: 1, loss: 0.0592, accuracy: 98.00", None),
        ("[6255] eval_accuracy=0.37, eval_loss=2.9", None),
    ],
)
def test_other_lines_of_flax(line, expected):
    assert read("flax", [line]) == ([expected] if expected else [])


def test_tensorflows_speeds_are_means_since_the_warm_up():
    first, *_, last, total = tensorflow("tf_cnn_benchmarks")
    assert first == Progress(1, images_per_second=140.0, is_total=True, loss=8.186)
    assert last == Progress(100, images_per_second=139.2, is_total=True, loss=7.917)
    assert total == Progress(images_per_second=138.95, is_total=True)


def test_tensorflow_that_ended_early_has_no_total():
    stated = tensorflow("tf_cnn_benchmarks_nan")
    assert [one.step for one in stated] == [1, *range(10, 81, 10)]
    assert all(isnan(one.loss) for one in stated)


def test_each_of_tensorflows_workers_says_its_own():
    assert [one.step for one in tensorflow("tf_cnn_benchmarks_several")] == [70] * 5 + [80] * 5


def test_tensorflow_without_memory_says_nothing():
    assert "OOM when allocating" in "".join(lines("tf_cnn_benchmarks_out_of_memory"))
    assert tensorflow("tf_cnn_benchmarks_out_of_memory") == []


def test_a_launcher_may_number_its_workers_lines():
    line = "[1,0]<stdout>:10\timages/sec: 46.7 +/- 0.4 (jitter = 1.8)\t8.734\n"
    (stated,) = read("tf_cnn_benchmarks", [line])
    assert (stated.step, stated.images_per_second) == (10, 46.7)


def test_caffe2_says_speed_and_loss_of_each_iteration():
    stated = read("caffe2", lines("caffe2_2017"))
    assert stated[:2] == [
        Progress(loss=3.44776368141),
        Progress(3748, 0, images_per_second=547.22),
    ]
    assert [one.step for one in stated if one.step] == [3748, 3749, 3750]


def test_theanos_tutorial_says_how_far_it_is_and_in_the_end_how_long_it_took():
    log = lines("theano_2016")
    steps = [one.step for one in read("theano", log) if one.epoch is None]
    assert steps == [0, 100, 200, 19900]
    *_, whole = read("theano", [*log, "The code for file convolutional_mlp.py ran for 46.76m"])
    assert whole.seconds == pytest.approx(46.76 * 60)
    assert whole.steps == 200 * 100


def test_theanos_minutes_are_of_the_steps_up_to_a_validation_in_mid_epoch():
    log = ["epoch 2, minibatch 50/100, validation error 9.2 %", "The code for file a.py ran for 1m"]
    *_, whole = read("theano", log)
    assert whole.steps == 150
