"""Default settings in the tables defaults, crossed and transfer, as a reader sees them.

The recorded study trains LeNet; here it does so on MNIST, by Caffe's default setting.
"""

import pandas as pd
import pytest

from trainmark.report.tables import crossed, defaults, resources, transfer
from trainmark.report.words.writers import table_of

PUBLISHED_SECONDS, PUBLISHED_IMAGES = 512.18, 640_000


@pytest.fixture
def lenet(recorded):
    """Caffe and three others with Caffe's default, the network lenet on MNIST."""
    rows = recorded[recorded["network"] == "lenet"]
    return rows.assign(dataset="mnist", default_of="caffe").replace(
        {column: {"mxnet": "caffe"} for column in ("framework", "adapter")}
    )


@pytest.fixture
def torch(lenet):
    """PyTorch with Torch's default."""
    return lenet.assign(case="torch", network="torch_mnist", default_of="pytorch")


def row_of(measurements, metric):
    """The row of a metric in the table defaults."""
    shown = table_of(defaults, measurements).shown
    (row,) = shown[shown["metric"] == metric].to_dict("records")
    return row


def test_a_framework_with_its_own_default_stands_beside_what_was_published(lenet):
    numbers = table_of(defaults, lenet).numbers
    assert set(numbers["framework"]) == {"caffe"}
    speed = numbers[numbers["metric"] == "training_speed"].iloc[0]
    assert speed["published"] == pytest.approx(PUBLISHED_IMAGES / PUBLISHED_SECONDS)
    assert speed["ratio"] == pytest.approx(speed["mean"] / speed["published"])
    assert "derived" in speed["beside"]


def test_times_of_different_numbers_of_images_have_no_ratio(lenet):
    row = row_of(lenet, "Training time (s)")
    assert (row["published"], row["ratio"]) == ("512.18", "-")
    assert row["remark"] == "after 1,600 images, not 640,000"


def test_times_of_the_published_number_of_images_have_one(lenet):
    whole = lenet.copy()
    whole.loc[whole["metric"] == "images_trained", "value"] = PUBLISHED_IMAGES
    whole.loc[whole["metric"] == "training_time", "value"] = 2 * PUBLISHED_SECONDS
    assert row_of(whole, "Training time (s)")["ratio"] == "2.00"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"dataset": "synthetic-mnist"}, "published on mnist alone"),
        ({"device": "cuda:2"}, "published on the CPU and one GPU, not on cuda:2"),
        ({"network": "alexnet"}, "GTDLBench has no such setting"),
    ],
)
def test_what_wasnt_published_is_absent_with_its_reason(lenet, changes, reason):
    row = row_of(lenet.assign(**changes), "Top-1 accuracy (%)")
    assert (row["published"], row["ratio"], row["remark"]) == ("-", "-", reason)
    assert row["ours"] != "-"


def test_a_setting_carried_to_another_data_set_is_no_default_there(lenet):
    assert table_of(defaults, lenet.assign(dataset="att_faces")).shown.empty


def test_torch7_is_unavailable_and_pytorch_trains_its_settings(torch):
    shown = table_of(defaults, torch).shown.set_index("framework")
    assert shown.loc["Torch7", "remark"] == (
        "unavailable: no package registry carries it; PyTorch trains its settings"
    )
    assert set(shown.index) == {"PyTorch (Torch's settings)", "Torch7"}


def test_a_study_without_default_settings_says_so(recorded):
    for plugin in (defaults, crossed, transfer):
        table = table_of(plugin, recorded)
        assert table.shown.empty
        assert "default_of" in table.notes[0]


def test_settings_are_crossed_with_frameworks_and_the_own_one_is_in_brackets(lenet, torch):
    shown = table_of(crossed, pd.concat([lenet, torch], ignore_index=True)).shown
    assert set(shown["block"]) == {"mnist: Top-1 accuracy (%)", "mnist: Training time (s)"}
    cells = shown.set_index(["block", "framework"])
    assert list(cells) == ["Caffe", "PyTorch"]
    bracketed = cells.apply(lambda column: column.str.startswith("["))
    assert bracketed["Caffe"].groupby("framework").all().to_dict() == {
        "Caffe": True,
        "PyTorch": False,
        "TensorFlow": False,
        "JAX": False,
    }
    assert bracketed["PyTorch"].groupby("framework").all()["PyTorch"]


def test_the_seeds_of_a_setting_are_taken_together(lenet):
    several = pd.concat([lenet, lenet.assign(case="second-seed")], ignore_index=True)
    (one,), (both,) = (
        table["n"].unique() for table in (crossed.make(lenet), crossed.make(several))
    )
    assert (one, both) == (3, 6)
    assert len(crossed.make(several)) == len(crossed.make(lenet))


def test_a_carried_setting_has_the_data_set_of_its_home_in_brackets(lenet):
    faces = lenet.assign(case="faces", dataset="att_faces")
    shown = table_of(transfer, pd.concat([lenet, faces], ignore_index=True)).shown
    (row,) = shown[shown["block"] == "PyTorch: Top-1 accuracy (%)"].to_dict("records")
    assert row["setting"] == "Caffe: lenet"
    assert row["mnist"] == f"[{row['att_faces']}]"


def test_resources_name_what_no_run_has_a_value_of(recorded):
    table = table_of(resources, recorded)
    assert list(table.shown)[:3] == ["case", "framework", "CPU"]
    assert set(table.shown["status"]) > {"ok", "timed_out: no end within 600 s"}
    assert "GPU memory" in table.notes[-2]
