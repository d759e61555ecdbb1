"""What every framework in the folder must fulfil, a new one without a change to this test."""

from collections import Counter
from pathlib import Path

import pytest

from trainmark.study import axes, plugins, stages
from worker import precisions

FRAMEWORKS = plugins.names("framework")


def test_each_framework_has_a_title_of_its_own():
    """By their titles the tables and figures tell them apart."""
    titles = Counter(plugins.facts("framework", name)["TITLE"] for name in FRAMEWORKS)
    assert [title for title, count in titles.items() if count > 1] == []


@pytest.mark.parametrize("name", [*filter(stages.is_available, FRAMEWORKS)])
def test_each_framework_says_why_it_lacks_a_precision(name):
    facts = plugins.facts("framework", name)
    if "PRECISIONS" not in facts:
        facts = plugins.facts("framework", facts["ENVIRONMENT"])
    for kind, listed in facts["PRECISIONS"].items():
        exempt = {"tf32"} if kind != "cuda" else set()  # by worker.support, of all others
        if not stages.is_runtime(name):
            exempt |= {*precisions.QUANTISED}  # of which they have no configurations
        lacking = {*axes.values("precision")} - {*listed} - exempt
        assert lacking <= set(facts.get("MISSING", {}))
    assert all("\n" not in reason for reason in facts.get("MISSING", {}).values())


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_what_cannot_be_had_says_why_in_a_line_and_has_no_adapter(name):
    facts = plugins.facts("framework", name)
    code = plugins.path("framework", name).read_text()
    assert ("class Adapter" in code) == ("UNAVAILABLE" not in facts)
    assert "\n" not in facts.get("UNAVAILABLE", "")


def test_each_framework_is_named_where_a_study_is_explained():
    page = Path(__file__).parents[2] / "docs" / "reference" / "study-file.md"
    text = page.read_text(encoding="utf-8")
    assert [name for name in FRAMEWORKS if f"`{name}`" not in text] == []
