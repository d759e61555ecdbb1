"""Arithmetic: what a run does of it, and its share of the best that its machine was seen to do."""

import pandas as pd
import pytest

from trainmark.analyse.along.roofline import roofline
from trainmark.analyse.csv.measurements import tabulate
from trainmark.analyse.run.metrics.arithmetic import achieved_gflops
from trainmark.report.figures import roofline as roofline_figure
from trainmark.report.tables import roofline as roofline_table
from trainmark.study.arithmetic import intensity, multiply_adds

PRODUCTS = {
    "network": "matrix_products",
    "image_shape": [1, 32, 64],
    "classes": 1000,
    "batch_size": 512,
    "stage": "infer",
}
FORWARD = 3 * 2048 * 2048 + 2048 * 1000


def test_prediction_counts_the_forward_pass_and_training_both():
    first = 2048 * 2048  # whose input is the image, so that it needs no gradient
    assert multiply_adds(PRODUCTS) == FORWARD
    assert multiply_adds({**PRODUCTS, "stage": "train"}) == 3 * FORWARD - first
    assert multiply_adds({**PRODUCTS, "stage": "gradients"}) == 3 * FORWARD - first
    assert multiply_adds({**PRODUCTS, "stage": "attack"}) == 2 * FORWARD


def test_intensity_grows_with_the_batch_for_the_weights_are_read_once():
    one, many = intensity({**PRODUCTS, "batch_size": 1}), intensity(PRODUCTS)
    assert one < 0.51  # two operations for each float32 weight
    assert 100 * one < many


def test_an_operation_is_a_multiplication_or_an_addition(recorded_runs):
    run = next(run for run in recorded_runs if run.record["status"] == "ok")
    speed = run.events["window_end"]["images"] / run.window_seconds
    assert achieved_gflops(run) == pytest.approx(2e-9 * multiply_adds(run.job) * speed)


def test_the_best_of_a_machine_is_the_roof_of_all(predicting_runs):
    table = roofline(tabulate(predicting_runs))
    best = table.loc[table["mean"].idxmax()]
    assert best["share"] == 100
    assert (table["share"] <= 100).all()
    assert set(table["best_framework"]) == {best["framework"]}
    assert (table["share"] == 100 * table["mean"] / best["mean"]).all()


def with_host(measurements, gflops, gigabytes_per_second):
    """The measurements, with the machine's own speed before each run."""
    speeds = {"host_gflops": gflops, "host_bandwidth": gigabytes_per_second}
    values = measurements["metric"].map(speeds).fillna(measurements["value"])
    return measurements.assign(value=values)


def test_the_peak_is_what_the_processors_were_seen_to_do(predicting_runs):
    measurements = tabulate(predicting_runs)
    assert roofline(measurements)["peak"].isna().all()
    best = roofline(measurements)["mean"].max()
    table = roofline(with_host(measurements, 4 * best, 30.0))
    assert table["peak_share"].max() == pytest.approx(25)
    assert set(table["bandwidth"]) == {30.0}


def test_products_of_matrices_in_a_framework_are_the_peak_of_their_precision(predicting_runs):
    measurements = tabulate(predicting_runs).assign(precision="bfloat16")
    slower = with_host(measurements, 1.0, 30.0)  # of float32, so no limit in bfloat16
    assert roofline(slower)["peak"].isna().all()
    twice = {"case": "products", "network": "matrix_products", "value": 2 * slower["value"]}
    table = roofline(pd.concat([slower, slower.assign(**twice)]))
    values = slower[slower["metric"] == "achieved_gflops"]["value"]
    assert set(table["peak"]) == {2 * values.max()}
    assert (table["peak_share"] <= 100).all()


def test_a_share_above_the_peak_is_no_number(predicting_runs):
    measurements = tabulate(predicting_runs)
    best = roofline(measurements)["mean"].max()
    table = roofline_table.make(with_host(measurements, best / 2, 30.0))
    notes = roofline_table.notes(table)
    assert roofline_table.ABOVE in set(roofline_table.show(table)["% of peak"])
    assert any("threads" in note for note in notes)
    above = table.loc[table["is_above_peak"], "peak_share"]
    assert len(above) and above.isna().all()
    assert roofline_table.ABOVE_NOTE in notes
    below = roofline_table.make(with_host(measurements, 4 * best, 30.0))
    assert roofline_table.ABOVE_NOTE not in roofline_table.notes(below)


def test_the_limits_of_a_measured_machine_are_drawn(predicting_runs):
    measurements = tabulate(predicting_runs)
    assert highest_drawn(measurements) < 900
    assert highest_drawn(with_host(measurements, 900.0, 1e6)) > 900


def test_without_a_peak_the_slope_of_memory_ends_at_the_best_of_the_points(predicting_runs):
    narrow = tabulate(predicting_runs).assign(precision="bfloat16")
    table = roofline(narrow)
    best = table["best"].max()
    slope = roof_drawn(with_host(narrow, 900.0, best / table["intensity"].max()))
    assert max(slope) == pytest.approx(best)
    assert min(slope) < best
    assert len(roof_drawn(narrow)) == 0


def test_in_16_bits_half_the_bytes_move_so_the_slope_is_twice_as_steep(predicting_runs):
    whole = with_host(tabulate(predicting_runs), 1e9, 30.0)
    narrow = whole.assign(precision="bfloat16")
    assert min(roof_drawn(narrow)) == pytest.approx(2 * min(roof_drawn(whole)))


def test_where_the_speed_of_memory_is_unknown_the_peak_alone_is_drawn(predicting_runs):
    measurements = with_host(tabulate(predicting_runs), 900.0, 30.0)
    without = measurements[measurements["metric"] != "host_bandwidth"]
    assert set(roof_drawn(without)) == {900.0}


def roof_drawn(measurements):
    """The heights of the figure's roof, in GFLOP/s: of its only line that isn't dashed."""
    figure = roofline_figure.draw(roofline_figure.data(measurements), "Roofline")
    (roof,) = (line for line in figure.axes[0].lines if line.get_linestyle() == "-")
    return roof.get_ydata()


def highest_drawn(measurements):
    """The upper end of the figure's axis, in GFLOP/s."""
    figure = roofline_figure.draw(roofline_figure.data(measurements), "Roofline")
    return figure.axes[0].get_ylim()[1]


def test_a_configuration_without_a_value_has_no_share(recorded):
    table = roofline(recorded)
    without = table[table["mean"].isna()]
    assert len(without)
    assert without["share"].isna().all()
    assert without["status"].ne("ok").all()


def test_a_configuration_without_an_intensity_is_no_point(predicting_runs):
    """As one that generates texts, whose calls read a token each."""
    measurements = tabulate(predicting_runs)
    assert len(roofline_figure.data(measurements))
    measurements.loc[measurements["metric"] == "arithmetic_intensity", "value"] = float("nan")
    assert roofline_figure.data(measurements).empty
