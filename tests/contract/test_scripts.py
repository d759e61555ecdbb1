"""A rule's script is found by the rule's name."""

import re
from pathlib import Path

import pytest

RULES = sorted((Path(__file__).parents[2] / "workflow" / "rules").glob("*.smk"))
RULE = re.compile(r'rule(?: |:\s+name:\s+f")(\w+?)(?::|_\{)')
"""`rule table:`, or a rule of many names, as f"train_{repeat}"."""
SCRIPT = re.compile(r'script:\s+"\.\./scripts/(\w+)\.py"')


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_script_is_named_after_its_rule(path):
    _, *parts = RULE.split(path.read_text(encoding="utf-8"))
    for rule, text in zip(parts[::2], parts[1::2], strict=True):
        assert SCRIPT.findall(text) in ([], [rule])
