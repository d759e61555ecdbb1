"""Logs of Keras's Model.fit become statements. Their sources: tests/data/logs/sources.csv."""

from math import isnan

import pytest
from recorded_logs import lines, read

from trainmark.runs.logs.statements import Progress

TRAIN_ON = "Train on 60000 samples, validate on 10000 samples\n"
BAR = "[==============================]"


def progress_of(log):
    return read("keras", lines(log))


@pytest.mark.parametrize(("log", "milliseconds"), [("keras", [62, 32, 9]), ("keras_2", [61, 5, 6])])
def test_an_epoch_has_a_line_and_the_evaluation_behind_the_last_one_has_none(log, milliseconds):
    assert [(one.epoch, one.step, one.loss) for one in progress_of(log)] == [
        (1, 20, 2.3362),
        (2, 20, {"keras": 2.2491, "keras_2": 2.2444}[log]),
        (3, 20, {"keras": 2.1686, "keras_2": 2.1689}[log]),
    ]
    assert [(one.seconds, one.steps, one.is_total) for one in progress_of(log)] == [
        (count / 1000, 1, True) for count in milliseconds
    ]


def test_a_bar_says_something_each_time_that_it_is_drawn():
    first = [one for one in progress_of("keras_bar") if one.epoch == 1]
    assert [one.step for one in first] == [1, 6, 12, 20]
    assert [one.seconds for one in first] == [0.52, 0.011, 0.01, 0.032]
    assert [one.loss for one in first] == [2.3606, 2.3466, 2.3424, 2.3362]


def test_a_bars_last_time_of_a_step_takes_in_the_validation():
    *_, trained, validated = progress_of("keras_bar")
    assert trained[:2] == validated[:2] == (20, 3)
    assert (trained.seconds, validated.seconds) == (0.003, 0.007)


def test_the_bar_of_keras_2_says_how_long_a_step_takes_once_it_is_full():
    first = [one for one in progress_of("keras_2_bar") if one.epoch == 1]
    assert [(one.step, one.seconds) for one in first] == [(1, None), (18, None), (20, 0.029)]


def test_what_counts_to_the_samples_trained_on_counts_samples():
    *running, whole = progress_of("keras_2018")
    assert [one.loss for one in running] == [0.0263] * 3
    assert whole == Progress(seconds=516e-6, images=1, is_total=True, loss=0.0262)


def test_a_line_without_the_time_of_a_step_has_that_of_the_epoch():
    first, *_ = progress_of("keras_2019")
    assert first == Progress(100, 1, seconds=49.0, steps=100, is_total=True, loss=7889.4051)


def test_a_program_that_was_killed_in_an_epoch_leaves_how_far_it_came():
    assert progress_of("keras_2020_killed")[-1] == Progress(step=237, epoch=12, loss=0.0398)


def test_a_program_without_memory_leaves_the_drawings_before():
    assert [(one.step, one.loss) for one in progress_of("keras_out_of_memory")] == [
        (1, 2.3026),
        (4, 2.2629),
    ]


def test_a_loss_that_is_not_a_number():
    assert [isnan(one.loss) for one in progress_of("keras_nan")] == [True] * 3
    assert [isnan(one.loss) for one in progress_of("keras_2020_nan")] == [False] + [True] * 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("166s - loss: 0.78 - acc: 0.76", Progress(seconds=166.0, is_total=True, loss=0.78)),
        (" - 12s - loss: 0.3 - acc: 0.9", Progress(seconds=12.0, is_total=True, loss=0.3)),
        (
            "    938/Unknown - 31s 33ms/step - loss: 0.2033 - accuracy: 0.9408",
            Progress(938, seconds=0.033, steps=1, is_total=True, loss=0.2033),
        ),
        (
            f"{TRAIN_ON}60000/60000 {BAR} - 15s 246us/sample - loss: 0.2217 - accuracy: 0.9343",
            Progress(seconds=246e-6, images=1, is_total=True, loss=0.2217),
        ),
        (
            f"{TRAIN_ON}60000/60000 {BAR} - 5s - loss: 0.33 - acc: 0.9",
            Progress(seconds=5.0, images=60000, is_total=True, loss=0.33),
        ),
        (
            f"Epoch 2/50      2/2 {BAR} - 553s 277s/step - loss: 6053.7227 - val_loss: 4881.7363",
            Progress(2, 2, seconds=277.0, steps=1, is_total=True, loss=6053.7227),
        ),
        (
            "1875/1875 - 3s - loss: 1.2000e-04 - accuracy: 0.9 - 3s/epoch - 2ms/step",
            Progress(1875, seconds=0.002, steps=1, is_total=True, loss=1.2e-4),
        ),
    ],
)
def test_other_versions_forms(text, expected):
    assert read("keras", text.split("\n")) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        f"11493376/11490434 {BAR} - 3s 0us/step",
        f"313/313 {BAR} - 0s 1ms/step",
        "Test loss: 0.028569993475805314",
        "Epoch 00012: val_loss improved from 0.3 to 0.2, saving model",
        f"20/20 {BAR} - 0s 4ms/step - val_loss: 2.0805",
    ],
)
def test_what_is_no_training_says_nothing(text):
    assert read("keras", ["Epoch 1/2", text]) == []


@pytest.mark.parametrize("count", ["1/20", "10/10", "20/20"])
def test_what_follows_a_lines_epoch_is_an_evaluation(count):
    trained = "20/20 - 1s - 62ms/step - loss: 2.3"
    evaluated = f"{count} - 0s - 11ms/step - loss: 2.0"
    assert len(read("keras", ["Epoch 3/3", trained, evaluated])) == 1
    assert len(read("keras", ["Epoch 3/4", trained, evaluated, "Epoch 4/4", trained])) == 2
