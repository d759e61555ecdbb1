"""The page without a mouse: Tab leads through it, what has the focus is seen, and folds open."""

from pathlib import Path

import pytest
from recorded import STUDY

from trainmark.report.page import study
from trainmark.report.page.runs import read

PROBE = Path(__file__).parent / "probe_keyboard.py"


@pytest.fixture(scope="module")
def seen(recorded, sources, drawings, in_browser, tmp_path_factory):
    """Where the keyboard leads on the page of the recorded study."""
    runs = list(map(read, sorted(STUDY.rglob("run.json"))))
    tables = {"measurements": recorded, "steps": sources["steps"]}
    path = tmp_path_factory.mktemp("keyboard") / "report.html"
    page = study.html(tables, ["summary"], drawings, runs, "snakemake")
    path.write_text(page, encoding="utf-8")
    return in_browser(PROBE, path)


def test_tab_begins_at_the_first_link(seen):
    first, *_ = seen["reached"]
    assert (first["kind"], first["text"]) == ("a", "trainmark")


def test_tab_reaches_each_framework(seen, recorded):
    links = [each["text"] for each in seen["reached"] if each["kind"] == "a"]
    rows = len(recorded.drop_duplicates(["case", "framework"]))
    named = [text for text in links if text in ("JAX", "MXNet", "PyTorch", "TensorFlow")]
    assert len(named) == rows


def test_what_has_the_focus_is_seen(seen):
    assert [each for each in seen["reached"] if each["outline"] != "solid"] == []


def test_enter_opens_a_fold_and_closes_it_again(seen):
    assert seen["reached"][-1]["text"].startswith("Every metric of every configuration")
    assert seen["open"] == [True, False]
