"""The page of all studies: its rows, its links, its claims, and what has no value."""

import pytest

from trainmark.analyse.compare.configurations import main_values
from trainmark.analyse.published.claim_verdicts import verdicts
from trainmark.report.page import index
from trainmark.report.words.writers import text


@pytest.fixture(scope="module")
def shown_studies(recorded, thesis):
    """The recorded study twice, once as the repetition of a published one."""
    values = main_values(recorded)
    published = "Piccione (2018)", "published/thesis/report.html"
    page = "thesis-short/report.html"
    claims = verdicts(thesis), verdicts(recorded[recorded["case"] == "lenet-digits"])
    return [
        index.Study("thesis-short", values, page, published, "Cut short.", claims[0]),
        index.Study("quick", values, "quick/report.html", None, "", claims[1]),
    ]


def test_each_study_has_a_row_with_links_to_its_page_and_the_published_one(shown_studies):
    page = index.html(shown_studies)
    assert '<a href="thesis-short/report.html">thesis-short</a>' in page
    assert '<a href="published/thesis/report.html">Piccione (2018)</a>' in page
    assert "<td>Cut short.</td>" in page
    assert "<script" not in page


def test_configurations_without_a_value_are_counted_with_their_reason(shown_studies):
    row = index.table(shown_studies).numbers.iloc[0]
    assert 0 < row["valued"] < row["requested"]
    assert "timed_out: no end within 600 s" in index.html(shown_studies)


def test_the_terminal_has_the_same_rows(shown_studies):
    lines = text(index.table(shown_studies)).splitlines()
    assert [line.split()[0] for line in lines if " of " in line][:2] == ["thesis-short", "quick"]


def test_claims_are_quoted_with_their_verdicts_and_counted_in_the_row(shown_studies):
    page = index.html(shown_studies)
    assert '<h2 id="claims-thesis-short">What Piccione (2018) claimed</h2>' in page
    assert "<td>PyTorch and CNTK show the best results among the five tools for CPU</td>" in page
    rows = index.table(shown_studies).numbers["claims"]
    assert "no interval" in rows[0]
    assert rows[1] == "-"
