"""GTDLBench's published values in its tables and charts, and what is derived from them."""

from pathlib import Path

import pandas as pd
import pytest
from bars_read import read_off

from trainmark.analyse.published import result_sets, studies
from trainmark.report.draw import style
from trainmark.report.published import gtdlbench
from trainmark.study import plugins
from worker import networks
from worker.networks.neutral import operations

GTDLBENCH = Path(__file__).parents[2] / "resources" / "published" / "gtdlbench"
METRICS = {
    "training_time": "Training time (s)",
    "testing_time": "Testing time (s)",
    "accuracy_top1": "Top-1 accuracy (%)",
}
NETWORKS = pd.read_csv(GTDLBENCH / "networks.csv").set_index("network")
OURS = sorted(set(NETWORKS.index) & set(plugins.names("network")))


@pytest.fixture(scope="module")
def values():
    return pd.read_csv(GTDLBENCH / "values.csv")


@pytest.fixture(scope="module")
def published():
    return gtdlbench.read(GTDLBENCH)


@pytest.fixture(scope="module")
def tables(published):
    return gtdlbench.tables(published)


@pytest.fixture(scope="module")
def seconds(values):
    """Of training and testing by data set and framework, in columns for metric and device."""
    key = ["dataset", "framework"]
    return values.pivot(index=key, columns=["metric", "device"], values="value")


def test_sixteen_rows_were_published_of_three_values_each(values, published):
    assert len(values.groupby(["dataset", "framework", "device"])) == 16
    assert values["value"].notna().sum() == 48 == len(published.measurements)
    assert published.measurements["value"].tolist() == values["value"].tolist()
    assert set(published.measurements["status"]) == {"ok"}


def test_each_value_stands_in_the_table_as_it_was_published(tables, values):
    shown = tables["values"].shown
    assert len(shown) == 16
    for (dataset, framework, device), rows in values.groupby(["dataset", "framework", "device"]):
        named = shown["framework"].str.removesuffix(" †") == framework
        (row,) = shown[(shown["dataset"] == dataset) & named & (shown["device"] == device)].to_dict(
            "records"
        )
        cells = {metric: row[heading] for metric, heading in METRICS.items()}
        assert cells == {row.metric: f"{row.value:,.2f}" for row in rows.itertuples()}


@pytest.fixture(scope="module")
def charts(published):
    with style.applied():
        drawn = {name: drawing.draw() for name, drawing in gtdlbench.figures(published).items()}
    return {name: figure.axes[0] for name, figure in drawn.items()}


def test_every_bar_of_its_six_charts_is_what_was_published(charts, values):
    assert len(charts) == 6
    for (dataset, metric), rows in values.groupby(["dataset", "metric"]):
        published = rows.set_index(["framework", "device"])["value"].to_dict()
        assert len(published) == 8
        assert read_off(charts[f"{dataset}-{metric}".lower()]) == published


def test_times_have_a_logarithmic_axis_and_accuracies_end_at_a_hundred_percent(charts):
    scales = {name.split("-")[1]: axes.get_yscale() for name, axes in charts.items()}
    assert scales == {"training_time": "log", "testing_time": "log", "accuracy_top1": "linear"}
    for dataset in ("mnist", "cifar10"):
        assert max(charts[f"{dataset}-accuracy_top1"].get_yticks()) == 100


def test_images_per_second_follow_from_steps_batch_size_and_seconds(tables, published, seconds):
    derived = tables["derived"].numbers.set_index(["dataset", "framework"])
    settings = published.settings.set_index(["dataset", "framework"])
    assert len(derived) == 8
    for key, row in derived.iterrows():
        images = settings.loc[key, "steps"] * settings.loc[key, "batch_size"]
        assert row["images"] == images
        for device in ("cpu", "gpu"):
            time = seconds.loc[key, ("training_time", device)]
            assert row[f"images/s, {device}"] == pytest.approx(images / time)


def test_speed_ups_are_seconds_on_the_cpu_over_seconds_on_the_gpu(tables, seconds):
    derived = tables["derived"].numbers.set_index(["dataset", "framework"])
    for key, row in derived.iterrows():
        for stage in ("training", "testing"):
            cpu, gpu = (seconds.loc[key, (f"{stage}_time", device)] for device in ("cpu", "gpu"))
            assert row[f"speed-up, {stage}"] == pytest.approx(cpu / gpu)


@pytest.mark.parametrize(
    ("dataset", "framework", "numbers"),
    [
        ("MNIST", "TensorFlow", ["1,000,000", "897.39", "14,596", "16.27", "10.50"]),
        ("CIFAR10", "TensorFlow", ["128,000,000", "1,075", "4,893", "4.55", "0.47"]),
        ("CIFAR10", "Torch †", ["2,250,000", "48.02", "972.25", "20.24", "10.85"]),
    ],
)
def test_a_row_of_derived_speeds(tables, dataset, framework, numbers):
    shown = tables["derived"].shown.set_index(["dataset", "framework"])
    assert shown.loc[(dataset, framework)].tolist()[:5] == numbers


def test_what_is_derived_says_that_it_was_not_published(tables):
    assert any("Derived, not published" in note for note in tables["derived"].notes)
    assert any("Derived from the layers, not published" in n for n in tables["networks"].notes)


def test_three_cpus_are_marked_that_cannot_be_compared_with_their_gpus(tables, charts):
    shown = tables["values"].shown
    marked = shown[shown["framework"].str.endswith("†")]
    assert set(marked[["dataset", "framework", "device"]].itertuples(index=False, name=None)) == {
        ("MNIST", "Theano †", "cpu"),
        ("CIFAR10", "Theano †", "cpu"),
        ("CIFAR10", "Torch †", "cpu"),
    }
    numbers = [text.get_text() for text in charts["mnist-training_time"].texts]
    assert [number for number in numbers if number.endswith("†")] == ["11,555 †"]


def test_torch_is_a_row_of_its_own_and_its_settings_name_pytorch_in_its_place(tables):
    assert "Torch" in set(tables["settings"].shown["framework"])
    assert any("PyTorch stands for it" in note for note in tables["settings"].notes)


def test_counts_are_written_as_whole_numbers_and_epochs_with_their_decimals(tables):
    first = tables["settings"].shown.iloc[0]
    assert [first[name] for name in ("batch size", "steps", "epochs")] == ["50", "20,000", "18.18"]


def test_epochs_are_steps_times_batch_size_over_images(published):
    images = {"MNIST": 60_000, "CIFAR10": 50_000}
    less = {"tensorflow_mnist": 55_000, "theano_mnist": 50_000}  # the others are held out
    for row in published.settings.itertuples():
        epochs = row.steps * row.batch_size / less.get(row.network, images[row.dataset])
        assert row.epochs == pytest.approx(epochs, abs=0.005)


@pytest.mark.parametrize("name", OURS)
def test_a_network_that_trainmark_has_is_the_published_one(name):
    row = NETWORKS.loc[name]
    network = networks.build(name, tuple(map(int, row["input"].split("x"))), 10)
    assert network.parameter_count == row["parameters"]
    assert operations.forward(network) == row["multiply_adds"]


@pytest.mark.parametrize("name", OURS)
def test_the_arithmetic_of_a_published_speed_is_that_of_the_published_network(name):
    table = result_sets.measurements(studies.published("gtdlbench"))
    rows = table[table["network"] == name]
    values = rows.pivot(index="device", columns="metric", values="value")
    image_shape = tuple(map(int, NETWORKS.loc[name, "input"].split("x")))
    multiply_adds = operations.forward_and_backward(networks.build(name, image_shape, 10))
    gflops = values["training_speed"] * 2 * multiply_adds / 1e9
    assert values["achieved_gflops"].tolist() == pytest.approx(gflops.tolist())
    assert set(values.index) == {"cpu", "cuda:1"}
