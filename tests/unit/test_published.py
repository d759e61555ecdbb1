"""The thesis's published values in the code that reports ours."""

from pathlib import Path

import pandas as pd
import pytest
from bars_read import read_off

from trainmark.analyse.along.scaling import speedups
from trainmark.analyse.compare.memory_outliers import outliers
from trainmark.analyse.published import values as published_values
from trainmark.report.charts import grouped
from trainmark.report.draw import style
from trainmark.report.tables import availability, devices, fastest
from trainmark.report.words.writers import table_of

THESIS = Path(__file__).parents[2] / "resources" / "published" / "thesis"


@pytest.fixture(scope="module")
def values():
    return pd.read_csv(THESIS / "values.csv")


@pytest.fixture(scope="module")
def thesis():
    settings = published_values.read_settings(THESIS / "settings.csv")
    return published_values.measurements(THESIS / "values.csv", settings, "thesis", "cluster")


def test_every_published_value_is_a_measurement_and_every_missing_one_has_a_reason(thesis, values):
    assert len(thesis) == len(values) == 3 * 9 * 5 * 5
    pd.testing.assert_series_equal(thesis["value"], values["value"])
    assert (thesis["absent"].isna() == thesis["value"].notna()).all()


def test_every_bar_of_every_chart_is_what_was_published_of_its_framework_and_device(thesis, values):
    for (dataset, network, metric), rows in values.groupby(["dataset", "network", "metric"]):
        of_case = thesis[thesis["case"] == f"{dataset} {network}"]
        data = grouped.data(of_case, metric)
        with style.applied():
            (axes,) = grouped.draw(data, metric, "title", "").axes
        published = rows.set_index(["framework", "device"])["value"]
        assert len(published) == len(data) == 5 * 5
        assert read_off(axes) == published.dropna().to_dict()


def test_the_gpu_memory_of_a_cpu_was_not_measured_and_what_was_not_available_says_so(thesis):
    """The thesis prints 0 for both."""
    absent = thesis[thesis["value"].isna()].set_index(["metric", "device", "status"])["absent"]
    assert absent.groupby(level="status").unique().map(list).to_dict() == {
        "ok": ["not measured"],
        "unavailable": ["unavailable: not available to the study"],
    }
    assert set(absent.xs("ok", level="status").index) == {("gpu_memory_mean", "cpu")}


def test_what_has_no_value_at_all_was_unavailable_whatever_was_measured(tmp_path):
    (tmp_path / "settings.csv").write_text("dataset,network,batch_size\nMNIST,lenet,64\n")
    (tmp_path / "values.csv").write_text(
        "metric,unit,dataset,network,framework,device,value,remark\n"
        "testing_time,s,MNIST,lenet,Caffe,cpu,3.33,in float64\n"
        "accuracy_top1,%,MNIST,lenet,Caffe,cpu,,\n"
        "testing_time,s,MNIST,lenet,Torch,cpu,,\n"
        "accuracy_top1,%,MNIST,lenet,Torch,cpu,,\n"
    )
    settings = published_values.read_settings(tmp_path / "settings.csv")
    table = published_values.measurements(tmp_path / "values.csv", settings, "study", "machine")
    assert table["status"].tolist() == ["ok", "ok", "unavailable", "unavailable"]
    absent = table["absent"].fillna("").tolist()
    assert absent == ["", "not measured", *["unavailable: not available to the study"] * 2]
    assert table["reason"].fillna("").tolist() == [
        "in float64", "", *["not available to the study"] * 2,
    ]  # fmt: skip


def test_39_of_45_cells_were_available(thesis):
    table = table_of(availability, thesis)
    shown = table.shown.set_index("framework")
    assert table.notes == ["39 of 45 cells were measured."]
    assert list(shown.index) == ["Caffe", "TensorFlow", "PyTorch", "MXNet", "CNTK"]
    missing = {
        (framework, case)
        for framework, row in shown.drop(columns="study").iterrows()
        for case, cell in row.items()
        if cell == "unavailable"
    }
    assert missing == {
        ("TensorFlow", "CIFAR10 GoogLeNet"),
        ("TensorFlow", "CIFAR10 VGG16"),
        ("PyTorch", "CIFAR10 GoogLeNet"),
        ("PyTorch", "ImageNet GoogLeNet"),
        ("CNTK", "CIFAR10 AlexNet"),
        ("CNTK", "CIFAR10 VGG16"),
    }


def test_appendix_a_has_a_column_for_each_device_in_the_order_of_the_thesis(thesis):
    shown = table_of(devices, thesis).shown
    assert list(shown.columns[3:]) == ["cpu", "k20m:1", "p100:1", "k20m:2", "p100:2"]
    assert shown.iloc[0].tolist()[1:] == [
        "MNIST LeNet", "Caffe", "572", "19,807", "42,588", "22,734", "46,110",
    ]  # fmt: skip
    assert len(shown) == 3 * 45


def test_what_the_thesis_says_in_words_of_speed(thesis):
    """Caffe on AlexNet and CIFAR10: over 200 times from CPU to a P100, 1.5 times to two."""
    table = speedups(thesis).set_index(["case", "framework", "base", "device"]).sort_index()
    of_caffe = table.loc["CIFAR10 AlexNet", "Caffe"]
    assert of_caffe.loc[("cpu", "p100:1"), "speedup"] == pytest.approx(17903 / 88)
    assert of_caffe.loc[("p100:1", "p100:2"), "speedup"] == pytest.approx(28179 / 17903)
    assert of_caffe.loc[("p100:1", "p100:2"), "efficiency"] == pytest.approx(78.7, abs=0.05)
    assert len(of_caffe) == 4


def test_the_fastest_of_a_case_stands_beside_the_second(thesis):
    table = fastest.make(thesis).set_index(["case", "device"])
    lenet = table.loc[("MNIST LeNet", "p100:1")]
    assert (lenet["first"], lenet["second"]) == ("MXNet", "Caffe")
    assert lenet["ratio"] == pytest.approx(46691 / 42588)
    assert len(table) == 9 * 5


def test_tensorflow_is_the_one_that_takes_far_more_memory(thesis):
    assert outliers(thesis)["framework"].value_counts().idxmax() == "TensorFlow"
