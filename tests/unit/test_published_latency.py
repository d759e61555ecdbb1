"""The published values of the GPU benchmark, from its tables to our tables and charts."""

from pathlib import Path

import pytest

from trainmark.report.draw import style
from trainmark.report.published import latency

LATENCY = Path(__file__).parents[2] / "resources" / "published" / "latency"
FIRST_AND_LAST = {
    "vgg16-eval": ("PyTorch 0.3.0  Titan V  float16", "Caffe2 0.8.1  Titan V  float32"),
    "vgg16-train": ("PyTorch 0.3.0  Titan V  float16", "Caffe2 0.8.1  Titan V  float32"),
    "resnet152-eval": ("PyTorch 0.3.0  Titan V  float16", "Caffe2 0.8.1  GTX 1080 Ti  float32"),
    "resnet152-train": (
        "PyTorch 0.3.0  Titan V  float16",
        "TensorFlow 1.4.0  GTX 1080 Ti  float32",
    ),
}
RANKING = """
PyTorch 0.3.0  Titan V  float16
TensorFlow 1.4.0  Titan V  float16
PyTorch 0.3.0  Titan V  float32
PyTorch 0.3.0  GTX 1080 Ti  float16
TensorFlow 1.4.0  GTX 1080 Ti  float16
TensorFlow 1.4.0  GTX 1080 Ti  float32
PyTorch 0.3.0  GTX 1080 Ti  float32
Caffe2 0.8.1  GTX 1080 Ti  float16
Caffe2 0.8.1  Titan V  float16
TensorFlow 1.4.0  Titan V  float32
Caffe2 0.8.1  GTX 1080 Ti  float32
Caffe2 0.8.1  Titan V  float32
"""
"""The bars of the study's own chart of VGG-16's training, from top to bottom."""


@pytest.fixture(scope="module")
def published():
    return latency.read(LATENCY)


@pytest.fixture(scope="module")
def tables(published):
    return latency.tables(published)


def test_116_values_are_there_and_28_are_missing_with_a_reason(tables):
    numbers = tables["iterations"].numbers
    assert numbers["milliseconds"].notna().sum() == 116
    missing = numbers[numbers["milliseconds"].isna()]
    assert len(missing) == 28
    assert set(missing["absent"]) == {"not run: DenseNet-161 was run in PyTorch alone"}
    assert set(missing["network"]) == {"densenet161"}
    assert numbers["absent"].notna().sum() == 28
    assert not (numbers["milliseconds"] == 0).any()


def test_each_value_stands_in_the_table_once_as_it_was_published(tables):
    shown = tables["iterations"].shown.iloc[:, 4:].to_numpy().ravel()
    written = (LATENCY / "values.csv").read_text(encoding="utf-8").splitlines()[1:]
    values = [line.split(",")[7] or "-" for line in written]
    assert sorted(shown) == sorted(values)


@pytest.mark.parametrize(
    ("framework", "gpu", "milliseconds"),
    [
        (
            "PyTorch 0.3.0, float16",
            "Tesla V100",
            ["12.6", "58.8", "21.7", "92.9", "35.7", "102.3"],
        ),
        (
            "PyTorch 1.0.0, float32",
            "RTX 2080 Ti",
            ["28.0", "95.5", "41.8", "142.5", "45.4", "148.4"],
        ),
        ("TensorFlow 1.4.0, float32", "GTX 1080 Ti", ["43.4", "131.3", "69.6", "300.6", "-", "-"]),
        ("Caffe2 0.8.1, float16", "Titan V", ["41.6", "156.1", "56.9", "172.7", "-", "-"]),
    ],
)
def test_a_row_of_a_table_is_a_row_of_the_study(tables, framework, gpu, milliseconds):
    shown = tables["iterations"].shown.set_index(["framework", "GPU"])
    assert shown.loc[(framework, gpu)].tolist()[2:] == milliseconds


def test_each_version_and_precision_has_a_block_in_the_order_of_the_study(tables):
    versions = ["PyTorch 0.3.0", "PyTorch 1.0.0", "TensorFlow 1.4.0", "TensorFlow 1.5.0"]
    versions += ["TensorFlow 1.12.0", "Caffe2 0.8.1"]
    blocks = [name for name, _ in tables["iterations"].blocks]
    assert blocks == [f"{name}, {width}" for name in versions for width in ("float32", "float16")]


def test_float16_beside_float32_and_one_gpu_beside_another(tables):
    narrow = tables["float16-to-float32"]
    assert narrow.numbers["ratio"].iloc[0] == pytest.approx(31.3 / 14.7)
    assert (len(narrow.numbers), narrow.numbers["ratio"].notna().sum()) == (72, 58)
    gpus = tables["titan-v-to-gtx-1080-ti"].shown.set_index(["framework", "precision"])
    # With TensorFlow, Titan V trained VGG-16 slower than the older card: 157.2 and 131.3 ms.
    assert gpus.loc[("TensorFlow 1.4.0", "float32"), "vgg16 train"] == "0.84"
    assert set(gpus.index.get_level_values("framework")) == set(latency.CHARTED["framework"])


def test_a_gpu_has_its_price_or_the_sign_that_none_was_said(tables):
    prices = tables["gpus"].shown.set_index("GPU")[["USD, retail", "USD an hour, cloud"]]
    assert prices.loc["Titan V"].tolist() == ["2999", "-"]
    assert prices.loc["Tesla V100"].tolist() == ["-", "3.06"]


def ranking(drawing):
    """The bars' names from top to bottom, their columns two spaces apart; and their lengths."""
    with style.applied():
        (axes,) = drawing.draw().axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    widths = [bar.get_width() for bar in axes.patches]
    return [
        "  ".join(part for part in map(str.strip, name.split("  ")) if part) for name in names
    ], widths


def test_the_chart_of_training_vgg16_ranks_as_the_studys_own_does(published):
    names, widths = ranking(latency.figures(published)["vgg16-train"])
    assert names == RANKING.strip().splitlines()
    assert widths[0] == pytest.approx(16_000 / 74.1)
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("name", FIRST_AND_LAST)
def test_each_chart_has_twelve_bars_between_the_fastest_and_the_slowest(published, name):
    names, _ = ranking(latency.figures(published)[name])
    assert len(names) == 12
    assert (names[0], names[-1]) == FIRST_AND_LAST[name]


def test_there_are_four_charts(published):
    assert set(latency.figures(published)) == set(FIRST_AND_LAST)
