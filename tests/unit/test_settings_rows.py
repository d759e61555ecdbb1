"""The training settings of a study, case by case."""

import pytest
from small_study import case, make

from trainmark.study import settings_rows
from trainmark.study.case_settings import CHANGED, SETTINGS


def test_settings_are_reported_once_per_case_and_apart_where_overrides_make_them_differ():
    smaller = {"where": {"framework": "numpy-again"}, "set": {"batch_size": 32}}
    (one,) = settings_rows.rows(make().runs.values())
    assert (one["case"], one["batch_size"], one["frameworks"]) == ("lenet-digits", 64, "all")
    assert one["window_epochs"] == pytest.approx(one["steps"] * 64 / 1500, abs=5e-4)
    rows = settings_rows.rows(make(overrides=[smaller]).runs.values())
    assert [(row["batch_size"], row["frameworks"]) for row in rows] == [
        (64, "numpy"),
        (32, "numpy-again"),
    ]


def batch_sizes(study, *whose):
    """The rows' batch sizes, and which configurations these are of."""
    rows = settings_rows.rows(study.runs.values())
    return [(row["batch_size"], *(row[column] for column in whose)) for row in rows]


def test_settings_are_distinguished_by_device_where_each_device_has_a_batch_of_its_own():
    weak = make(devices=["cpu", "cuda:1", "cuda:2"], scaling="weak")
    assert batch_sizes(weak, "devices", "frameworks") == [
        (64, "cpu, cuda:1", "all"),
        (128, "cuda:2", "all"),
    ]


def test_settings_of_one_framework_on_one_device_leave_the_others_theirs():
    smaller = {"where": {"framework": "numpy", "device": "cuda:2"}, "set": {"batch_size": 32}}
    assert batch_sizes(
        make(devices=["cuda:1", "cuda:2"], overrides=[smaller]), "devices", "frameworks"
    ) == [
        (64, "cuda:1", "all"),
        (64, "cuda:2", "numpy-again"),
        (32, "cuda:2", "numpy"),
    ]


def test_settings_of_one_number_of_threads_leave_the_others_theirs():
    fewer = {"where": {"thread_count": 1}, "set": {"batch_size": 32}}
    study = make(threads=[1, "all"], overrides=[fewer])
    assert batch_sizes(study, "thread_counts") == [(32, "1"), (64, "all cores")]


def test_settings_are_distinguished_by_input_mode_as_by_device():
    smaller = {"where": {"input_mode": "cached"}, "set": {"batch_size": 32}}
    study = make(input_modes=["dataset", "cached"], overrides=[smaller])
    assert batch_sizes(study, "input_modes") == [(64, "dataset"), (32, "cached")]


TWO_MACHINES = {"epyc": {"devices": ["cpu"]}, "k20": {"devices": ["cuda:1", "cuda:2"]}}


def test_machines_with_devices_of_their_own_that_train_alike_are_one_row():
    study = make(devices=["cpu", "cuda:1", "cuda:2"], machines=TWO_MACHINES)
    (row,) = settings_rows.rows(study.runs.values())
    assert (row["frameworks"], row.keys() & {"devices", "machine_names"}) == ("all", set())


def test_settings_are_distinguished_by_device_where_each_machine_has_its_own():
    weak = make(devices=["cpu", "cuda:1", "cuda:2"], machines=TWO_MACHINES, scaling="weak")
    assert batch_sizes(weak, "devices", "machine_names", "frameworks") == [
        (64, "cpu, cuda:1", "all", "all"),
        (128, "cuda:2", "k20", "all"),
    ]


def test_devices_that_train_alike_are_no_column_of_the_settings():
    (row,) = settings_rows.rows(make(devices=["cuda:1", "cuda:2"]).runs.values())
    needless = {"requested_steps"} | {each.name for each in SETTINGS if each.shown == CHANGED}
    settings = [name for name in settings_rows.COLUMNS if name not in needless]
    assert list(row) == [*settings, "window_epochs", "frameworks"]


def test_a_schedule_and_weight_decay_by_tensor_are_reported_in_words():
    schedule = {"inverse": {"gamma": 0.0001, "power": 0.75}}
    settings = {"schedule": schedule, "bias_rate": 2, "weight_decay": {"dense1/weight": 0.004}}
    (row,) = settings_rows.rows(make(cases=case(**settings)).runs.values())
    assert row["schedule"] == "inverse: gamma 0.0001, power 0.75"
    assert row["weight_decay"] == "dense1/weight: 0.004"
    assert (row["bias_rate"], "optimiser" in row) == (2, False)


def test_what_updates_no_weights_has_no_rate_and_no_epochs():
    (row,) = settings_rows.rows(make(stages=["train"]).runs.values())
    assert (row["learning_rate"], row["window_epochs"]) == (0.01, pytest.approx(0.427, abs=5e-4))
    both = make(stages=["train", "infer"], input_modes=["synthetic"])
    trains, infers = settings_rows.rows(both.runs.values())
    assert (trains["learning_rate"], trains["stages"]) == (0.01, "train")
    assert [infers[name] for name in ("learning_rate", "momentum", "window_epochs")] == [None] * 3
    assert "optimiser" not in trains.keys() | infers.keys()
