"""Every link of the documents leads to a file that is there, and to a heading that is in it."""

import re
from pathlib import Path

import pytest
from documents import without_code

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for pattern in ("*.md", "config/*.md", "docs/**/*.md", "resources/published/*/*.md")
    for path in ROOT.glob(pattern)
)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)")


def anchors(document):
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", without_code(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_link_leads_somewhere(document):
    source = ROOT / document
    for path, anchor in LINK.findall(source.read_text(encoding="utf-8")):
        target = source.parent / path if path else source
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"
