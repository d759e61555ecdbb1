"""A recorded study beside a changed copy of itself."""

import copy
import re

import pytest

from trainmark.analyse.compare import comparison, measured_otherwise
from trainmark.analyse.compare.measured_otherwise import Change
from trainmark.report.compare import comparison as report
from trainmark.report.words import writers


def scaled(recorded, framework, factor):
    """The measurements with one framework's training speed changed."""
    table = recorded.copy()
    chosen = (table["framework"] == framework) & (table["metric"] == "training_speed")
    table.loc[chosen, "value"] *= factor
    return table


@pytest.fixture
def compared(recorded):
    now = scaled(scaled(recorded, "pytorch", 0.8), "jax", 1.3)
    return comparison.compare(now, recorded, {}).set_index(["case", "framework"])


def test_a_change_beyond_the_spread_is_reported_and_none_is_not(compared):
    verdicts = compared.loc["lenet-digits"]["verdict"].to_dict()
    assert verdicts == {
        "pytorch": "slower",
        "jax": "faster",
        "mxnet": "not distinguishable",
        "tensorflow": "not distinguishable",
    }
    assert compared.loc[("lenet-digits", "pytorch"), "ratio"] == pytest.approx(0.8)


def test_what_has_no_speed_keeps_its_row_and_its_status(compared):
    assert compared.loc[("resnet50-cifar10", "jax"), "verdict"] == "unavailable"


def test_what_came_and_went_is_reported(recorded):
    without = recorded[recorded["framework"] != "jax"]
    came = comparison.compare(recorded, without, {}).set_index(["case", "framework"])
    went = comparison.compare(without, recorded, {}).set_index(["case", "framework"])
    assert came.loc[("lenet-digits", "jax"), "verdict"] == "new"
    assert went.loc[("lenet-digits", "jax"), "verdict"] == "gone"


def worsenings(compared, tolerance_percent):
    """What counts against a change, by framework."""
    rows = compared.loc["lenet-digits"].itertuples()
    messages = {row.Index: comparison.worsening(row, tolerance_percent) for row in rows}
    return {framework: text for framework, text in messages.items() if text}


def test_only_what_is_significantly_slower_counts_against_a_change(compared):
    slower = worsenings(compared, tolerance_percent=10)
    assert list(slower) == ["pytorch"]
    assert re.fullmatch(r"at least 1\d\.\d % slower", slower["pytorch"])  # of a ratio of 0.8
    assert worsenings(compared, tolerance_percent=20) == {}


def test_what_works_no_more_counts_against_a_change_and_what_was_taken_out_does_not(recorded):
    now = recorded[recorded["framework"] != "jax"].copy()
    now.loc[now["framework"] == "mxnet", ["status", "value"]] = ["failed", None]
    compared = comparison.compare(now, recorded, {}).set_index(["case", "framework"])
    assert worsenings(compared, tolerance_percent=5) == {"mxnet": "no speed any more: ok → failed"}


def test_what_explains_a_change_is_reported(recorded_runs):
    records = [run.record for run in recorded_runs]
    edited = copy.deepcopy(records)
    for record in edited:
        record["provenance"]["host"]["kernel"] = "6.8"
        record["provenance"]["host"]["clock_megahertz"] *= 1.01  # which never stands still
        if record["worker"] and record["job"]["framework"] == "pytorch":
            record["worker"]["threads"] = 4
    differences = comparison.differences(edited, records)
    assert (
        differences[
            "lenet-digits", "mxnet", "cpu", "float32", "train", "dataset", "all", "default", "64"
        ]
        == "kernel 6.1 → 6.8"
    )
    assert differences[
        "lenet-digits", "pytorch", "cpu", "float32", "train", "dataset", "all", "default", "64"
    ] == ("kernel 6.1 → 6.8; threads 2 → 4")


def test_what_differs_in_another_node_is_reported_with_its_number(recorded_runs):
    records = copy.deepcopy([run.record for run in recorded_runs])
    for record in records:
        record["provenance"]["nodes"] = [{"host": record["provenance"]["host"], "gpus": []}]
    edited = copy.deepcopy(records)
    for record in edited:
        (other,) = record["provenance"]["nodes"]
        clock = other["host"]["clock_megahertz"] * 1.01
        known = {"kernel": "6.8", "model": "6/85/7", "clock_megahertz": clock}
        other["host"] = {**other["host"], **known}
    assert set(comparison.differences(edited, records).values()) == {"node 2: kernel 6.1 → 6.8"}


def test_settings_and_packages_explain_too_and_any_repeat_tells_them(recorded_runs):
    records = [run.record for run in recorded_runs if run.job["framework"] == "pytorch"]
    edited = copy.deepcopy(records)
    edited[0]["worker"] = None  # it failed before it said anything
    for record in edited:
        record["job"]["learning_rate"] = 0.5
        record["provenance"]["environment"]["packages"] = {"numpy": "2.0"}
    (difference, *_) = comparison.differences(edited, records).values()
    assert "learning rate 0.01 → 0.5" in difference
    assert "numpy" in difference
    assert "version" not in difference


def test_what_must_be_known_of_a_baseline_stands_beside_its_ratio(recorded):
    doubtful = recorded.assign(reason="by its own log and clock")
    comparisons = comparison.compare(recorded, doubtful, {})
    differences = comparisons.loc[comparisons["ratio"].notna(), "differences"]
    assert set(differences) == {"baseline: by its own log and clock"}


def test_what_must_be_known_of_a_baseline_stands_behind_what_else_differs(recorded, recorded_runs):
    records = [run.record for run in recorded_runs]
    edited = copy.deepcopy(records)
    for record in edited:
        record["provenance"]["host"]["kernel"] = "6.8"
    doubtful = recorded.assign(reason="by its own log and clock")
    comparisons = comparison.compare(recorded, doubtful, comparison.differences(edited, records))
    differences = comparisons.loc[comparisons["ratio"].notna(), "differences"]
    assert set(differences) == {"kernel 6.1 → 6.8; baseline: by its own log and clock"}


def test_the_same_twice_differs_in_nothing(recorded_runs):
    records = [run.record for run in recorded_runs]
    assert comparison.differences(records, records) == {}


def test_an_option_newer_than_a_record_was_at_its_default(recorded_runs):
    records = [run.record for run in recorded_runs if run.job["framework"] == "mxnet"]
    edited = copy.deepcopy(records)
    for record in (record for record in edited if record["worker"]):
        record["worker"]["flags"]["fuse"] = False
    assert comparison.differences(edited, records) == {}
    for record in (record for record in edited if record["worker"]):
        record["worker"]["flags"]["fuse"] = True
    assert set(comparison.differences(edited, records).values()) == {"fuse False → True"}


def test_a_difference_everywhere_is_reported_once_below_the_table(recorded, recorded_runs):
    records = [run.record for run in recorded_runs]
    edited = copy.deepcopy(records)
    for record in edited:
        record["provenance"]["host"]["kernel"] = "6.8"
    differences = comparison.differences(edited, records)
    text = writers.text(report.table(comparison.compare(recorded, recorded, differences), {}))
    assert text.count("kernel 6.1 → 6.8") == 1
    assert "Everywhere: kernel 6.1 → 6.8." in text


def test_below_the_table_stands_where_it_was_measured_and_in_which_units(recorded):
    notes = report.table(comparison.compare(recorded, recorded, {}), {}).notes
    assert notes[:2] == [
        "Study recorded on Example CPU 2.5 GHz, 2 cores.",
        "baseline and now: images/s.",
    ]


def test_every_configuration_of_a_comparison_is_drawn(recorded):
    numbers = comparison.compare(scaled(recorded, "jax", 1.3), recorded, {})
    figure = report.figure(numbers)
    bars = [bar.get_width() for axes in figure.axes for bar in axes.patches]
    assert sorted(bars) == pytest.approx(sorted(numbers["ratio"].dropna()))


STEPS_OTHERWISE = Change(2, ["training_speed"], "windows begin later")


@pytest.mark.parametrize(
    ("formats", "metric", "remarks"),
    [
        ((1, 2), "training_speed", ["measured otherwise: windows begin later"]),
        ((2, 1), "training_speed", ["measured otherwise: windows begin later"]),
        ((2, 2), "training_speed", []),
        ((2, 3), "training_speed", []),
        ((1, 3), "latency_p50", []),
    ],
)
def test_what_a_later_format_measures_otherwise_is_said(monkeypatch, formats, metric, remarks):
    monkeypatch.setattr(measured_otherwise, "CHANGES", [STEPS_OTHERWISE])
    assert list(measured_otherwise.between(*formats, metric)) == remarks


def test_a_line_says_what_is_measured_otherwise_before_other_differences(
    recorded_runs, monkeypatch
):
    monkeypatch.setattr(measured_otherwise, "CHANGES", [STEPS_OTHERWISE])
    earlier = [run.record for run in recorded_runs]
    now = [{**record, "format": 2} for record in earlier]
    texts = comparison.differences(now, earlier)
    assert set(texts.values()) == {"measured otherwise: windows begin later"}
