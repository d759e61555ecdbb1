"""Published results: each archive agrees with itself, and the documents show what it holds."""

from pathlib import Path

import pytest

from trainmark.analyse.sets import fit, kept
from trainmark.report.page import archives
from trainmark.report.words import result_tables

ROOT = Path(__file__).parents[2]
ARCHIVES = kept.paths()
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*/*.md"))]
WITH_RESULTS = [path for path in DOCUMENTS if result_tables.TABLE.search(path.read_text())]


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_archive_is_fit(archive):
    assert list(fit.faults(archive)) == []
    assert archives.page(archives.read([archive])[0])


def test_all_archives_have_one_page():
    page = archives.html(archives.read(ARCHIVES))
    assert all(f"{path.parent.name}/{path.name}" in page for path in ARCHIVES)


@pytest.mark.parametrize("document", WITH_RESULTS, ids=lambda path: path.stem)
def test_a_documents_tables_of_results_are_those_of_their_archives(document):
    assert result_tables.with_new_tables(document) == document.read_text(), "call `make docs`"
