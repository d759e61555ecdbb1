"""Each page answers one question of one reader, briefly, and is on the site."""

import re
from pathlib import Path

import pytest
import yaml
from documents import without_code

ROOT = Path(__file__).parents[2]
SITE = ROOT / "docs" / "site" / "_toc.yml"
PAGES = [
    pytest.param(path, id=str(path.relative_to(ROOT)))
    for path in sorted((ROOT / "docs").glob("*/*.md"))
]
TOP = [pytest.param(ROOT / name, id=name) for name in ("README.md", "CONTRIBUTING.md")]
# Those who look something up don't read the page.
READ = [page for page in PAGES if not page.id.startswith("docs/reference")]
WORDS_OF_A_PAGE, WORDS_OF_A_CELL = 2_000, 25
CELL = re.compile(r"(?<!\\)\|")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_begins_with_its_title_and_its_question(path):
    title, empty, question, *_ = path.read_text(encoding="utf-8").splitlines()
    assert title.startswith("# ")
    assert not empty
    assert re.fullmatch(r"\*[A-Z].*\?\*", question)


@pytest.mark.parametrize("path", [*TOP, *READ])
def test_a_page_is_read_at_one_sitting(path):
    assert len(path.read_text(encoding="utf-8").split()) <= WORDS_OF_A_PAGE


@pytest.mark.parametrize("path", [*TOP, *PAGES])
def test_a_cell_of_a_table_is_read_at_a_glance(path):
    lines = without_code(path).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    cells = [cell for row in rows for cell in CELL.split(row)]
    assert [cell for cell in cells if len(cell.split()) > WORDS_OF_A_CELL] == []


def entries(tree):
    """All files that the site's table of contents names, from its root on."""
    yield tree["root"]
    for part in tree["subtrees"]:
        yield from (entry["file"] for entry in part["entries"])


def test_the_site_has_every_page():
    named = sorted(entries(yaml.safe_load(SITE.read_text(encoding="utf-8"))))
    patterns = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*/*.md")
    files = [path for pattern in patterns for path in ROOT.glob(pattern)]
    files += ROOT.glob("resources/**/README.md")
    assert named == sorted(str(path.relative_to(ROOT).with_suffix("")) for path in files)
