"""A version is the same wherever it is written, as CONTRIBUTING.md has it."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from recorded import FORMATS

from trainmark.analyse.compare.measured_otherwise import CHANGES
from trainmark.runs import formats

ROOT = Path(__file__).parents[2]
RELEASE = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (unreleased|\d{4}-\d{2}-\d{2})$", re.MULTILINE)


@pytest.fixture
def version():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]


def test_the_newest_version_of_the_changelog_is_the_projects(version):
    newest, *_ = RELEASE.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert newest[0] == version


def test_what_is_cited_is_the_projects_version(version):
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == version


def test_compare_knows_all_that_the_changelog_says_is_measured_otherwise():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    parts = re.findall(r"^### Measured otherwise\n+(.*?)(?=^#|\Z)", text, re.DOTALL | re.MULTILINE)
    entries = [line for part in parts for line in part.splitlines() if line.startswith("- ")]
    assert len(entries) == len(CHANGES)
    for entry, change in zip(entries, reversed(CHANGES), strict=True):
        assert all(f"`{metric}`" in entry for metric in change.metrics)


def test_there_is_a_step_from_each_format_and_an_archive_of_each():
    numbers = range(1, formats.FORMAT + 1)
    archives = {path.stem for path in FORMATS.glob("*.zip")}
    assert archives == set(map(str, numbers))
    assert len(formats.STEPS) == formats.FORMAT - 1
