"""The summary of a recorded study, as a reader sees it."""

import pandas as pd
import pytest

from trainmark.report.tables import summary
from trainmark.report.words import cells, layout, writers
from trainmark.report.words.writers import Table


def table(measurements):
    numbers = summary.make(measurements)
    return Table(
        summary.TITLE, numbers, summary.show(numbers), summary.BLOCK, summary.notes(numbers)
    )


def renamed(measurements, column, old, new):
    return measurements.assign(**{column: measurements[column].replace(old, new)})


def test_gaps_of_one_reason_are_one_row():
    rows = [
        ("Caffe", "float32", "infer", "5", "ok"),
        ("Caffe", "float32", "train", "6", "ok"),
        ("Caffe", "tf32", "infer", "-", "only float32"),
        ("Caffe", "tf32", "train", "-", "only float32"),
        ("Caffe", "float16", "infer", "-", "only float32"),
        ("Caffe", "float16", "train", "-", "only float32"),
        ("Theano", "float16", "train", "-", "only float32"),
    ]
    shown = pd.DataFrame(rows, columns=["framework", "precision", "stage", "speed", "status"])
    gaps = layout.merge_gaps(shown, shown["speed"] != "-", ("stage", "precision"))
    assert gaps.values.tolist() == [
        ["Caffe", "float32", "infer", "5", "ok"],
        ["Caffe", "float32", "train", "6", "ok"],
        ["Caffe", "tf32, float16", "infer, train", "-", "only float32"],
        ["Theano", "float16", "train", "-", "only float32"],
    ]


def test_each_case_has_its_fastest_first_and_keeps_those_without_a_value(recorded):
    numbers = summary.make(recorded)
    fastest = numbers.groupby("case")["framework"].first().to_dict()
    assert fastest == {"lenet-digits": "mxnet", "resnet50-cifar10": "pytorch"}
    assert numbers.groupby("case").size().tolist() == [4, 4]


def test_the_parity_of_a_configuration_is_that_of_its_worst_run(recorded):
    is_of_one = (recorded["metric"] == "parity_error") & (recorded["framework"] == "pytorch")
    is_of_one &= (recorded["case"] == "lenet-digits") & (recorded["repeat"] == 2)
    assert is_of_one.sum() == 1
    numbers = summary.make(recorded.assign(value=recorded["value"].mask(is_of_one, 0.25)))
    rows = numbers[(numbers["framework"] == "pytorch") & (numbers["case"] == "lenet-digits")]
    assert rows["parity_error_largest"].tolist() == [0.25]


def test_a_value_is_shown_with_its_interval_and_a_missing_one_as_missing():
    assert cells.number("training_speed", 132.29, 4.64) == "132.3 ± 4.6"
    assert cells.number("training_speed", 5432.29, 234.64) == "5,432 ± 235"
    assert cells.number("training_speed", 132.29, None) == "132.3"
    assert cells.number("training_speed", None) == "-"


def test_what_a_network_of_text_reads_are_texts():
    rows = [("training_speed", "lenet"), ("training_speed", "gpt2_mini"), ("latency_p50", "lenet")]
    table = pd.DataFrame(rows, columns=["metric", "network"])
    assert cells.main_units(table.head(1)) == "images/s"
    assert cells.main_units(table) == "images/s or texts/s or ms"
    assert cells.heading("training_speed", ["char_lstm"]) == "Training speed (texts/s)"


def test_a_wide_interval_takes_the_decimals_from_its_mean_too():
    assert cells.number("training_speed", 234.5, 12345.6) == "234 ± 12,346"
    assert cells.number("training_speed", 1234.5, 12.6) == "1,234 ± 13"


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (0.95, 1.053, "0.95 to 1.05"),
        (1.002, 99.5, "1.00 to 99.50"),
        (0.0123, 123.4, "0.012 to 123"),
        (0.00123, 1230.4, "0.0012 to 1,230"),
        (0.000000123, 123456789, "1.2e-07 to 1.2e+08"),
        (None, None, "-"),
    ],
)
def test_an_interval_of_a_ratio_has_as_many_digits_as_tell_something(low, high, shown):
    assert cells.interval(low, high) == shown


def test_status_tells_all_that_a_reader_must_know(recorded):
    shown = summary.show(summary.make(recorded)).set_index(["case", "framework"])["status"]
    assert shown["lenet-digits", "MXNet"] == "ok"
    assert shown["lenet-digits", "JAX"] == "ok *"
    assert shown["resnet50-cifar10", "TensorFlow"] == "timed_out: no end within 600 s"


def test_a_disturbed_run_has_a_footnote_and_a_quiet_study_has_none(recorded):
    assert cells.DISTURBED in summary.notes(summary.make(recorded))
    quiet = recorded.assign(disturbed=False)
    assert cells.DISTURBED not in summary.notes(summary.make(quiet))


def test_a_setting_is_a_column_only_where_it_varies(recorded):
    assert "device" not in summary.show(summary.make(recorded))
    gpu = renamed(recorded, "device", "cpu", "cuda:1")
    both = summary.show(summary.make(pd.concat([recorded, gpu], ignore_index=True)))
    assert set(both["device"]) == {"cpu", "cuda:1"}


def test_one_repeat_has_neither_interval_nor_rank(recorded):
    shown = summary.show(summary.make(recorded[recorded["repeat"] == 1]))
    assert set(shown["#"]) == {"-"}
    assert not shown["images/s"].str.contains("±").any()


def test_text_has_one_block_per_case_and_wraps_a_long_reason(recorded):
    long = "unavailable: " + "no interpreter of that version was found " * 4
    wordy = renamed(recorded, "absent", "unavailable: no interpreter of Python 3.6 was found", long)
    lines = writers.text(table(wordy)).splitlines()
    assert max(map(len, lines)) <= writers.TEXT_WIDTH
    assert lines.index("lenet-digits") < lines.index("resnet50-cifar10")
    assert sum("interpreter" in line for line in lines) > 1


@pytest.mark.parametrize("form", ["md", "tex", "html", "txt"])
def test_every_form_for_reading_holds_every_value(recorded, form):
    written = writers.FORMATS[form](table(recorded))
    for value in summary.show(summary.make(recorded))["images/s"]:
        assert value in written


def test_a_bar_in_a_reason_does_not_part_a_cell_of_markdown():
    shown = pd.DataFrame({"case": ["lenet"], "status": ["unsupported operand for |"]})
    lines = writers.markdown(Table("Title", shown, shown, "case", [])).splitlines()
    assert [line for line in lines if "operand" in line] == [r"| unsupported operand for \| |"]


def test_a_machine_is_named_once_with_all_of_it_that_was_used():
    used = pd.DataFrame({"machine": ["CPU, 2 cores", "CPU, 2 cores, 1 x H200", "CPU, 2 cores"]})
    assert cells.machines(used) == "CPU, 2 cores, 1 x H200"


def test_a_study_of_another_name_of_the_same_adapter_keeps_its_name():
    assert cells.framework_title("pytorch-compiled", "pytorch") == "pytorch-compiled"
