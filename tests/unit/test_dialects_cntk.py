"""Logs of CNTK become statements. Their sources: tests/data/logs/sources.csv."""

from math import inf, isnan

import pytest
from recorded_logs import lines, read

from trainmark.runs.logs.statements import Progress


def progress_of(log):
    return read("cntk", lines(log))


def test_minibatches_have_losses_and_an_epoch_has_its_time():
    *minibatches, epoch = progress_of("cntk")[:5]
    assert minibatches == [
        Progress(5, loss=2.330098),
        Progress(10, loss=2.34262),
        Progress(15, loss=2.329312),
        Progress(20, loss=2.31757),
    ]
    assert epoch == Progress(epoch=1, seconds=1.57, images=1280, is_total=True, loss=2.3299)


def test_an_evaluation_says_nothing():
    assert [one.epoch for one in progress_of("cntk") if one.epoch] == [1, 2, 3]
    assert [one.images for one in progress_of("cntk_2018")] == [32]


def test_each_of_several_workers_says_the_same():
    assert [one.step for one in progress_of("cntk_minibatches")] == [100, 100, 200, 200]


def test_an_epoch_before_memory_ran_out():
    (epoch,) = progress_of("cntk_out_of_memory")
    assert (epoch.epoch, epoch.images, epoch.seconds) == (16, 18295, 14661.193)


def test_a_loss_that_is_not_a_number():
    assert [isnan(one.loss) for one in progress_of("cntk_nan")] == [True] * 5


def test_brainscript_times_minibatches():
    assert progress_of("cntk_brainscript") == [
        Progress(10, 1, seconds=0.2134, images=2560, loss=851.39990234),
        Progress(20, 1, seconds=0.2097, images=2560, loss=804.69541016),
        Progress(30, 1, seconds=0.2091, images=2560, loss=785.02363281),
    ]


def test_brainscript_times_epochs():
    first, _ = progress_of("cntk_brainscript_epochs")
    assert first == Progress(
        epoch=1, seconds=24.2631, images=6000, is_total=True, loss=2975.58366667
    )


def test_old_brainscript_does_not_say_how_many_images_an_epoch_has():
    minibatches, epoch, *_ = progress_of("cntk_brainscript_old")
    assert minibatches == Progress(500, 1, seconds=60.7581, images=32000, loss=1.6727572)
    assert epoch == Progress(epoch=1, seconds=122.9, is_total=True, loss=1.5577571)


def test_windows_has_its_own_word_for_what_is_not_a_number():
    first, second = progress_of("cntk_brainscript_nan")
    assert first.loss == 0
    assert isnan(second.loss)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "Finished Epoch [16]: [Training] loss = 2837788428.9 * 18014, metric = 98.4% * 18014 "
            "6.094s (2956.1 samples per second).",
            Progress(epoch=16, seconds=6.094, images=18014, is_total=True, loss=2837788428.9),
        ),
        (
            "Finished Epoch[2]: loss = 0.5 * 640 0.100s (6400.0 samples/s);",
            Progress(epoch=2, seconds=0.1, images=640, is_total=True, loss=0.5),
        ),
        (
            " Epoch[1002 of 5000]-Minibatch[ 271- 280, 0.00000000000061%]: error = 1.#INF * 1000; "
            "time = 0.0159s; samplesPerSecond = 62703.8",
            Progress(280, 1002, seconds=0.0159, images=1000, loss=inf),
        ),
        ("Finished Epoch[1 of 1]: [Training] loss = 0.0 * 0, metric = 0.00% * 0 0.000s ()", None),
        ("Finished Epoch[ 1 of 3]: [Validate] ce = 0.08 * 10000; errs = 2.460% * 10000", None),
        ("Final Results: Minibatch[1-79]: errs = 8.270% * 10000; ce = 0.2 * 10000", None),
        (" Evaluation Minibatch[   1- 100]: metric = 38.14% * 10000;", None),
    ],
)
def test_other_lines(line, expected):
    assert read("cntk", [line]) == ([expected] if expected else [])
