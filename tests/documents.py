"""The text of documents."""

import re
from pathlib import Path

CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def without_code(document: Path) -> str:
    """A document's text but for its blocks of code."""
    return CODE.sub("", document.read_text(encoding="utf-8"))
