"""Published values beside ours: as result sets, with ratios where there can be one, in order."""

import numpy as np
import pandas as pd
import pytest

from trainmark.analyse.compare import comparison
from trainmark.analyse.csv.measurements import COLUMNS
from trainmark.analyse.published import result_sets
from trainmark.analyse.published.beside import beside, published
from trainmark.analyse.published.generations import generations
from trainmark.analyse.published.order import order
from trainmark.analyse.sets.merged import merged, sources
from trainmark.analyse.sets.result_set import ResultSet
from trainmark.report.compare import machines
from trainmark.report.figures import beside_published
from trainmark.report.words.writers import table_of
from trainmark.study import plugins
from trainmark.study.arithmetic import least_share, multiply_adds

RUNS = (0.99, 1.0, 1.01)
"""Three repeats, relative to their mean."""
VGG16 = {"network": "vgg16", "image_shape": (3, 224, 224), "classes": 1000, "stage": "infer"}


def as_ours(table, factor=0.1):
    """Published values of the CPU as if measured here, with other speeds and three repeats."""
    rows = table.loc[table["device"] == "cpu", list(COLUMNS)]
    named = rows.assign(study="ours", machine="our CPU", machine_name="default", reason=None)
    runs = [
        named.assign(repeat=repeat, value=named["value"] * factor * run)
        for repeat, run in enumerate(RUNS, start=1)
    ]
    return pd.concat(runs, ignore_index=True)


@pytest.fixture(scope="module")
def ours(thesis):
    return as_ours(thesis)


def test_each_machine_of_a_published_study_is_a_result_set_of_its_own(thesis):
    speeds = thesis[(thesis["metric"] == "training_speed") & thesis["value"].notna()]
    counts = speeds.groupby("machine_name")["value"].count().to_dict()
    assert counts == {"e5-2620": 20, "e5-2630": 19, "k20m": 78, "p100": 78}
    alone = result_sets.result_set(published("thesis"), "p100")
    assert set(alone["machine_name"]) == {"default"}
    assert set(alone["machine"]) == {"NVIDIA Tesla P100", "2 x NVIDIA Tesla P100"}


def test_an_idle_gpu_of_a_run_on_the_cpu_has_no_power_there(thesis):
    assert not (thesis["metric"].eq("gpu_power") & thesis["device"].eq("cpu")).any()


def test_sakos_milliseconds_are_images_per_second_of_our_stages():
    table = result_sets.measurements(published("latency"))
    row = table[
        (table["machine_name"] == "titan_v-cuda9")
        & (table["network"] == "vgg16")
        & (table["framework"] == "pytorch")
        & (table["precision"] == "float32")
        & (table["metric"] == "gradient_speed")
    ]
    assert row["value"].tolist() == [pytest.approx(16_000 / 108.8)]
    assert row["stage"].tolist() == ["gradients"]


def test_winograd_saves_up_to_three_quarters_of_a_convolution_of_3x3_and_stride_1():
    dense = 25_088 * 4096 + 4096 * 4096 + 4096 * 1000
    convolutions = multiply_adds(VGG16) - dense
    expected = (convolutions / 4 + dense) / multiply_adds(VGG16)
    assert least_share(VGG16) == pytest.approx(expected)


def test_no_published_latency_is_more_than_a_gpu_can_do():
    table = result_sets.measurements(published("latency"))
    assert table["share_of_peak"].max() < 0.5


def test_four_frameworks_of_the_thesis_trained_another_resnet50_on_cifar10(ours):
    table = beside(ours)
    impossible = table[table["why_none"].notna()]
    assert set(impossible["case"]) == {"resnet50-cifar10"}
    assert set(impossible["framework"]) == {"tensorflow", "pytorch", "mxnet", "cntk"}
    assert impossible["ratio"].isna().all() and impossible["published"].notna().all()
    reason = impossible.set_index("framework")["why_none"]["mxnet"].iloc[0]
    assert "25,195 GFLOP/s with ours on the NVIDIA Tesla P100, 1.9 times" in reason


def test_as_a_source_a_published_value_of_another_network_is_absent_with_the_reason(ours):
    on_cpu = result_sets.result_set(published("thesis"), "e5-2620")
    resnet = on_cpu[on_cpu["case"] == "resnet50-cifar10"]
    lost = resnet[resnet["value"].isna()]
    assert set(lost["framework"]) == {"tensorflow", "pytorch", "mxnet", "cntk"}
    assert set(lost["status"]) == {"unavailable"}
    assert lost["absent"].str.startswith("another network: ").all()
    rows = comparison.compare(ours, on_cpu, {}).set_index(["case", "framework"])
    compared = rows.loc["resnet50-cifar10"]
    assert compared["ratio"].dropna().to_dict() == {"caffe": pytest.approx(0.1, rel=1e-3)}
    assert compared.loc["mxnet", "verdict"] == "unavailable → ok"
    assert "another network: 25,195 GFLOP/s" in compared.loc["mxnet", "differences"]


def test_as_a_source_a_published_value_keeps_its_remark(ours):
    on_cpu = result_sets.result_set(published("thesis"), "e5-2620")
    rows = comparison.compare(ours, on_cpu, {}).set_index(["case", "framework"])
    differences = rows.loc[("alexnet-cifar10", "caffe"), "differences"]
    assert differences.startswith("baseline: as published by Piccione (2018)")
    assert differences.endswith("; another network of that name")


def test_combined_with_ours_published_values_have_a_column_and_a_mark(ours):
    on_cpu = result_sets.result_set(published("thesis"), "e5-2620")
    sets = [ResultSet("here", ours, []), ResultSet("published:thesis", on_cpu, [])]
    table = machines.table(merged(sets), sources(sets))
    shown = table.shown.set_index(["case", "framework"])["2 x Intel E5-2620 v2"]
    assert shown["lenet-mnist", "Caffe"] == "572 ‡"
    assert shown["resnet50-cifar10", "MXNet"].startswith("another network: 25,195 GFLOP/s")
    assert machines.PUBLISHED in table.notes


def test_their_speeds_are_grey_in_the_figure_also_where_ours_is_missing(ours):
    lost = ours.assign(value=ours["value"].mask(ours["case"] == "resnet50-cifar10"))
    drawn = beside_published.draw(beside_published.data(lost), "title")
    [axes] = [axes for axes in drawn.axes if axes.get_title() == "resnet50-cifar10"]
    grey = [line for line in axes.lines if line.get_mec() == beside_published.IMPOSSIBLE]
    assert {position for line in grey for position in line.get_ydata()} == {1, 2, 3, 4}


def test_a_single_device_is_beside_each_single_published_one(ours):
    table = beside(ours)
    lenet = table[(table["case"] == "lenet-mnist") & (table["framework"] == "caffe")]
    assert lenet["published"].tolist() == [572, 19_807, 42_588]
    assert lenet["ratio"].tolist() == pytest.approx([57.2 / 572, 57.2 / 19_807, 57.2 / 42_588])


def test_shares_are_of_the_fastest_framework_on_the_same_machine(ours):
    table = beside(ours)
    on_p100 = table[(table["case"] == "lenet-mnist") & (table["published_set"] == "p100")]
    shares = on_p100.set_index("framework")[["share", "published_share"]]
    assert shares["share"]["cntk"] == 1 and shares["published_share"]["mxnet"] == 1
    assert shares["published_share"]["caffe"] == pytest.approx(42_588 / 46_691)


def test_a_single_framework_has_no_share_of_the_fastest(ours):
    table = beside(ours[ours["framework"] == "caffe"])
    assert table["ratio"].notna().any()
    assert table[["share", "published_share"]].isna().all(axis=None)


def test_generated_images_are_beside_those_that_they_are_like(ours):
    generated = ours.assign(dataset="synthetic-" + ours["dataset"])
    assert len(beside(generated)) == len(beside(ours)) > 100


def test_another_batch_has_nothing_published(ours):
    assert beside(ours.assign(batch_size=7)).empty
    for name in ("beside", "order"):
        table = table_of(plugins.load("table", name), ours.assign(batch_size=7))
        assert table.shown.empty and table.notes


def test_the_order_agrees_with_itself_and_not_with_its_reverse(ours):
    same = order(ours).set_index(["case", "published_set"])["gamma"]
    assert (same[:, "e5-2620"].dropna() == 1).all()
    reversed_speeds = order(ours.assign(value=1 / ours["value"]))
    assert (reversed_speeds.set_index(["case", "published_set"])["gamma"][:, "e5-2620"] == -1).all()


def test_pairs_that_one_run_does_not_distinguish_are_in_no_order(ours):
    table = order(ours[ours["repeat"] == 1])
    assert (table["distinguishable"] == 0).all() and table["gamma"].isna().all()


def test_equal_published_speeds_have_no_order(ours):
    """Four of five frameworks train VGG-16 at 1 image/s on its CPU: 4 of 10 pairs differ."""
    spread = ours["framework"].map(
        {"caffe": 1, "tensorflow": 2, "pytorch": 3, "mxnet": 4, "cntk": 5}
    )
    table = order(ours.assign(value=spread * ours["repeat"].map(dict(enumerate(RUNS, start=1)))))
    row = table.set_index(["case", "published_set"]).loc["vgg16-imagenet", "e5-2630"]
    assert (row["pairs"], row["distinguishable"], row["agreeing"]) == (10, 4, 4)


def test_generations_are_ratios_and_their_geometric_means(thesis):
    table = generations(thesis, "k20m", "p100").set_index(["case", "framework"])["ratio"]
    assert table["lenet-mnist", "caffe"] == pytest.approx(42_588 / 19_807)
    of_case = table["lenet-mnist"].drop("all")
    assert table["lenet-mnist", "all"] == pytest.approx(np.exp(np.log(of_case).mean()))
    each = table.drop("all", level="framework").drop("all", level="case")
    assert len(each) == 39
    assert table["all", "all"] == pytest.approx(np.exp(np.log(each).mean()))
