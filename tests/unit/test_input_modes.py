"""The table of input modes: the cost of reading, by the wait for input or by the speeds."""

import pandas as pd
import pytest

from trainmark.analyse.along.input_modes import input_modes
from trainmark.report.tables import inputs
from trainmark.report.words import cells, writers
from trainmark.report.words.writers import table_of

SPEEDS = {"dataset": 0.8, "cached": 0.95, "synthetic": 1.0}
CASE = "lenet-digits"


def in_mode(recorded, mode, **columns):
    """The recorded study in another input mode, of as many times its speed."""
    is_speed = recorded["metric"] == "training_speed"
    value = recorded["value"].where(~is_speed, recorded["value"] * SPEEDS[mode])
    return recorded.assign(input_mode=mode, value=value, **columns)


@pytest.fixture
def measured(recorded):
    """All modes; JAX queues its steps, so nobody knows how long it waited."""
    every = pd.concat([in_mode(recorded, mode) for mode in SPEEDS], ignore_index=True)
    unknown = (every["framework"] == "jax") & (every["metric"] == "data_wait")
    return every.assign(value=every["value"].mask(unknown))


def row_of(table, framework, case=CASE):
    return table.set_index(["case", "framework"]).loc[(case, framework)]


def test_a_row_has_the_speed_of_each_mode_with_its_interval_and_wait(measured):
    row = row_of(input_modes(measured), "mxnet")
    for mode, factor in SPEEDS.items():
        assert row[f"{mode}_mean"] == pytest.approx(factor * row["synthetic_mean"])
        assert row[f"{mode}_half_width"] > 0
        assert row[f"{mode}_data_wait"] > 0
        assert row[f"{mode}_n"] == 3


@pytest.mark.parametrize("framework", ["mxnet", "jax"])
def test_the_ratio_tells_what_reading_costs_whether_or_not_the_wait_is_known(measured, framework):
    row = row_of(input_modes(measured), framework)
    assert row["ratio"] == pytest.approx(0.8)
    assert row["low"] < row["ratio"] < row["high"]


def test_an_unknown_wait_is_empty_and_not_zero(measured):
    table = table_of(inputs, measured)
    row = row_of(table.numbers, "jax")
    assert all(pd.isna(row[f"{mode}_data_wait"]) for mode in SPEEDS)
    assert list(row_of(table.shown, "JAX")["wait %"]) == [cells.NOTHING] * 3


def test_one_run_each_has_a_ratio_without_interval(measured):
    row = row_of(input_modes(measured[measured["repeat"] == 1]), "mxnet")
    assert row["ratio"] == pytest.approx(0.8)
    assert pd.isna(row["low"]) and pd.isna(row["high"]) and pd.isna(row["dataset_half_width"])


def test_what_has_no_speed_says_why_and_has_no_ratio(measured):
    table = table_of(inputs, measured)
    assert pd.isna(row_of(table.numbers, "tensorflow", "resnet50-cifar10")["ratio"])
    shown = row_of(table.shown, "TensorFlow", "resnet50-cifar10")
    assert shown["dataset"] == "timed_out"
    assert shown["dataset / synthetic"] == cells.NOTHING


def test_a_mode_that_the_study_has_not_is_empty(recorded):
    table = table_of(inputs, in_mode(recorded, "dataset"))
    row = row_of(table.numbers, "mxnet")
    unknown = ["synthetic_status", "synthetic_mean", "synthetic_n", "synthetic_data_wait", "ratio"]
    assert row[unknown].isna().all()
    assert set(table.shown["synthetic"]) == {cells.NOTHING}
    for form in writers.FORMATS.values():
        assert "nan" not in form(table).lower()


def test_each_device_and_precision_has_a_row_of_its_own(recorded):
    gpu = in_mode(recorded, "synthetic", device="cuda:1")
    half = in_mode(recorded, "synthetic", precision="bfloat16")
    shown = table_of(inputs, pd.concat([in_mode(recorded, "dataset"), gpu, half])).shown
    assert set(shown["device"]) == {"cpu", "cuda:1"}
    assert set(shown["precision"]) == {"float32", "bfloat16"}
    assert set(shown["dataset / synthetic"]) == {cells.NOTHING}


def test_a_disturbed_run_is_marked_at_its_mode(recorded):
    quiet = in_mode(recorded, "synthetic", disturbed=False)
    table = table_of(inputs, pd.concat([in_mode(recorded, "dataset"), quiet]))
    shown = row_of(table.shown, "JAX")
    assert shown["dataset"].endswith(" *") and not shown["synthetic"].endswith(" *")
    assert cells.DISTURBED in table.notes
