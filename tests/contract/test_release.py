"""A version is the same wherever it is written, as CONTRIBUTING.md has it."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

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
