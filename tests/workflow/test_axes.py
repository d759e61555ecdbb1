"""An axis is added to the workflow by an edit of one file."""

import pandas as pd
import pytest
from small_checkout import CASE, STUDY, Checkout

COLOUR = """    Axis(
        name="colour",
        key="colours",
        values={"enum": ["red", "blue"]},
        default=("red",),
        description="what the lamp shows",
    ),
"""


@pytest.fixture(scope="module")
def coloured(tmp_path_factory):
    """A checkout with one more axis, whose study asks for both of its values."""
    checkout = Checkout(tmp_path_factory.mktemp("coloured"))
    axes = checkout.folder / "workflow/scripts/trainmark/study/axes.py"
    before, last, after = axes.read_text().partition('    Axis(\n        name="input_mode"')
    axes.write_text(before + COLOUR + last + after)
    only_blue = {"where": {"colour": "blue", "framework": "other"}, "reason": "other is red"}
    study = {**STUDY, "cases": {"first": CASE}, "colours": ["red", "blue"], "exclude": [only_blue]}
    checkout.write(study)
    checkout.snakemake("all")
    return checkout.folder / "results/tiny"


def test_each_value_is_a_run_in_a_folder_of_its_own(coloured):
    folders = {path.parent.relative_to(coloured / "runs") for path in coloured.rglob("run.json")}
    folder = "first/{}/cpu/float32/train/{}-dataset/r1"
    assert set(map(str, folders)) == {
        folder.format(framework, colour)
        for framework in ("numpy", "other")
        for colour in ("red", "blue")
    }


def test_measurements_and_tables_have_it(coloured):
    measurements = pd.read_csv(coloured / "measurements.csv")
    assert set(measurements["colour"]) == {"red", "blue"}
    summary = pd.read_csv(coloured / "tables/summary.csv").set_index(["framework", "colour"])
    assert summary["status"].to_dict() == {
        ("numpy", "red"): "ok",
        ("numpy", "blue"): "ok",
        ("other", "red"): "ok",
        ("other", "blue"): "unsupported",
    }
    assert "colour" in (coloured / "tables/summary.txt").read_text()


def test_frameworks_are_held_against_each_other_at_the_same_value(coloured):
    pairs = pd.read_csv(coloured / "tables/pairs.csv")
    assert pairs["colour"].tolist() == ["red"]
