"""Charts of one case: a group of bars for each framework, a bar for each device."""

import pandas as pd
import pytest
from matplotlib.markers import CARETUP

from trainmark.analyse.along.scaling import speedups
from trainmark.report.charts import grouped
from trainmark.report.draw import bars, style
from trainmark.report.tables import devices
from trainmark.report.words import writers
from trainmark.report.words.writers import table_of
from trainmark.study import plugins

CASE, METRIC = "lenet-digits", "training_speed"


@pytest.fixture
def two_devices(recorded):
    faster = recorded.assign(device="cuda:1", value=recorded["value"] * 10)
    return pd.concat([recorded, faster], ignore_index=True)


def data_of(measurements, metric=METRIC, case=CASE):
    return grouped.data(measurements[measurements["case"] == case], metric)


def drawn(measurements, metric=METRIC, case=CASE):
    data = data_of(measurements, metric, case)
    with style.applied():
        figure = grouped.draw(data, metric, "title", bars.footnote(data))
    return data, figure.axes[0]


def circles(axes):
    """The values at which circles are drawn."""
    lines = [line.get_ydata() for line in axes.lines if line.get_marker() == "o"]
    return [value for values in lines for value in values]


def test_each_bar_is_a_mean_and_each_run_a_circle(two_devices):
    data, axes = drawn(two_devices)
    heights = [bar.get_height() for bar in axes.patches if bar.get_height()]
    assert sorted(heights) == pytest.approx(sorted(data["mean"].dropna()))
    assert len(circles(axes)) == data["n"].sum()


def test_a_single_run_is_a_circle_at_the_end_of_its_bar(recorded):
    data, axes = drawn(recorded[recorded["repeat"] == 1])
    assert circles(axes) == list(data["mean"])


def test_a_number_stands_clear_of_the_circle_below_it(recorded):
    _, axes = drawn(recorded[recorded["repeat"] == 1])
    axes.figure.draw_without_rendering()
    for number, circle in zip(axes.texts, circles(axes), strict=True):
        _, height = axes.transData.transform((0, circle))
        radius = 1.25 * axes.figure.dpi / 72
        assert number.get_window_extent().y0 > height + radius


def test_a_whisker_far_longer_than_all_bars_is_cut(recorded):
    data = data_of(recorded)
    data.loc[0, "half_width"] = 50 * data["mean"].max()
    with style.applied():
        axes = grouped.draw(data, METRIC, "title", "").axes[0]
    assert any(line.get_marker() == CARETUP for line in axes.lines)
    assert axes.get_ylim()[1] < 4 * data["mean"].max()


def test_a_mean_whose_runs_are_not_known_has_no_circle(recorded):
    data = data_of(recorded[recorded["repeat"] == 1])
    with style.applied():
        figure = grouped.draw(data.drop(columns="run_1"), METRIC, "title", "")
    assert circles(figure.axes[0]) == []


def test_devices_have_a_legend_and_frameworks_a_place_each(two_devices):
    _, axes = drawn(two_devices)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["cpu", "cuda:1"]
    assert len(axes.get_xticks()) == 4


def footnote(axes):
    """The lines at the foot of a chart."""
    return axes.figure.texts[-1].get_text().splitlines()


def test_what_has_no_value_has_its_status_in_its_place_and_the_reason_at_the_foot(recorded):
    _, axes = drawn(recorded, case="resnet50-cifar10")
    assert {"unavailable", "timed_out"} <= {text.get_text().strip() for text in axes.texts}
    assert footnote(axes)[-3:] == [
        "failed: parity: logits_after off by 3.1e-02.",
        "timed_out: no end within 600 s.",
        "unavailable: no interpreter of Python 3.6 was found.",
    ]


def test_a_metric_without_values_is_drawn_without_bars_and_its_reason_reported_once(recorded):
    _, axes = drawn(recorded, metric="gpu_power")
    assert [text.get_text().strip() for text in axes.texts] == ["n/a"] * 4
    assert footnote(axes) == ["No run has a value.", "n/a: no GPU was used."]


def test_of_many_reasons_the_commonest_are_reported(recorded):
    data = data_of(recorded, "gpu_power")
    others = [data.assign(remark=f"reason {number}") for number in range(5)]
    assert grouped.reasons(pd.concat([*others, data, data])) == [
        "n/a: no GPU was used; reason 0; reason 1; and 3 more."
    ]


def test_a_status_without_a_reason_is_not_explained_by_itself(recorded):
    data = data_of(recorded, "gpu_power")
    assert grouped.reasons(data.assign(status="failed", remark="failed")) == []


def test_precisions_are_groups_of_their_own(recorded):
    half = recorded.assign(precision="bfloat16", value=recorded["value"] * 2)
    _, axes = drawn(pd.concat([recorded, half], ignore_index=True))
    names = [label.get_text() for label in axes.get_xticklabels()]
    assert {"PyTorch,\nfloat32", "PyTorch,\nbfloat16"} <= set(names)


def test_a_value_below_zero_is_in_the_picture(recorded):
    falling = recorded.assign(value=-recorded["value"])
    data, axes = drawn(falling)
    assert axes.get_ylim()[0] <= data["mean"].min()


def test_another_batch_size_on_another_device_is_no_hole(recorded):
    weak = recorded.assign(device="cuda:2", batch_size=recorded["batch_size"] * 2)
    table = table_of(devices, pd.concat([recorded, weak], ignore_index=True))
    assert "PyTorch" in writers.text(table)


def test_more_devices_of_a_kind_are_darker():
    colours = grouped.colours(["cpu", "cuda:1", "cuda:2", "cuda:4"])
    assert colours["cpu"] == grouped.CPU_COLOUR
    assert colours["cuda:4"] == grouped.KIND_COLOURS[0]
    # lighter is higher in hexadecimal
    assert colours["cuda:1"] > colours["cuda:2"] > colours["cuda:4"]


def test_a_speed_up_has_its_interval(two_devices):
    table = speedups(two_devices)
    assert set(table["base"] + table["device"]) == {"cpucuda:1"}
    assert table["speedup"].tolist() == pytest.approx([10.0] * len(table))
    assert (table["low"] < 10).all() and (table["high"] > 10).all()


def test_devices_on_more_nodes_have_a_speed_up_and_an_efficiency(recorded):
    one = recorded[recorded["device"] == "cpu"].assign(device="cuda:4")
    two = one.assign(device="cuda:2x4", value=one["value"] * 1.5)
    table = speedups(pd.concat([one, two], ignore_index=True))
    assert set(table["base"] + " " + table["device"]) == {"cuda:4 cuda:2x4"}
    assert table["efficiency"].tolist() == pytest.approx([75.0] * len(table))


def test_a_logarithmic_axis_begins_below_the_lowest_bar_and_the_chart_says_what_to_compare(
    recorded,
):
    data = data_of(recorded)
    data.loc[0, "mean"] = data["mean"].max() / 1000
    with style.applied():
        axes = grouped.draw(data, METRIC, "title", "", logarithmic=True).axes[0]
    low, high = axes.get_ylim()
    assert axes.get_yscale() == "log"
    assert low < data["mean"].min() and data["mean"].max() < high
    assert [bar.get_height() for bar in axes.patches] == list(data["mean"])
    assert any("Compare the ends of the bars" in line for line in footnote(axes))


def test_the_place_of_a_missing_bar_is_marked_on_a_logarithmic_axis_too(recorded):
    data = data_of(recorded)
    data.loc[0, ["mean", "n", "status"]] = None, 0, "failed"
    with style.applied():
        axes = grouped.draw(data, METRIC, "title", "", logarithmic=True).axes[0]
    (mark,) = [text for text in axes.texts if text.get_text().strip() == "failed"]
    assert mark.get_position() == (0, axes.get_ylim()[0])


def test_numbers_are_turned_where_bars_are_too_narrow_for_them(two_devices):
    wide = grouped.draw(data_of(two_devices), METRIC, "title", "").axes[0]
    assert {text.get_rotation() for text in wide.texts} == {0}
    three = two_devices[two_devices["device"] == "cuda:1"].assign(device="cuda:2")
    crowded = data_of(pd.concat([two_devices, three], ignore_index=True))
    narrow = grouped.draw(crowded, METRIC, "title", "").axes[0]
    assert {text.get_rotation() for text in narrow.texts} == {90}


def test_percents_end_at_a_hundred(recorded):
    _, axes = drawn(recorded, "accuracy_top1")
    assert max(axes.get_yticks()) == 100


@pytest.mark.parametrize("name", plugins.names("chart style"))
def test_a_metric_of_a_stage_that_the_study_lacks_has_an_empty_chart(name, recorded):
    trained = recorded[recorded["stage"] == "train"]
    plugin = plugins.load("chart style", name)
    data = plugin.data(trained, "inference_speed")
    assert data.empty
    with style.applied():
        assert plugin.draw(data, "inference_speed", "title", bars.footnote(data)).texts
