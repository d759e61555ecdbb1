"""The page of all studies: its rows, its links, and what has no value."""

import pytest

from trainmark.analyse.compare.configurations import main_values
from trainmark.report.page import index
from trainmark.report.words.writers import text


@pytest.fixture(scope="module")
def studies(recorded):
    """The recorded study twice, once as the repetition of a published one."""
    values = main_values(recorded)
    published = "Piccione (2018)", "published/thesis/report.html"
    return [
        index.Study("thesis-short", values, "thesis-short/report.html", published, "Cut short."),
        index.Study("quick", values, "quick/report.html", None, ""),
    ]


def test_each_study_has_a_row_with_links_to_its_page_and_the_published_one(studies):
    page = index.html(studies)
    assert '<a href="thesis-short/report.html">thesis-short</a>' in page
    assert '<a href="published/thesis/report.html">Piccione (2018)</a>' in page
    assert "<td>Cut short.</td>" in page
    assert "<script" not in page


def test_configurations_without_a_value_are_counted_with_their_reason(studies):
    row = index.table(studies).numbers.iloc[0]
    assert 0 < row["valued"] < row["requested"]
    assert "timed_out: no end within 600 s" in index.html(studies)


def test_the_terminal_has_the_same_rows(studies):
    lines = text(index.table(studies)).splitlines()
    assert [line.split()[0] for line in lines if " of " in line][:2] == ["thesis-short", "quick"]
