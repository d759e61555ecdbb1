"""Rules declare their resources, which clusters need beforehand, and which rules need no node."""

import re
from pathlib import Path

import pytest

RULES = sorted((Path(__file__).parents[2] / "workflow" / "rules").glob("*.smk"))
RULE = re.compile(r"^rule (\w+):$", re.MULTILINE)
ON_NODES = {"train", "reference", "convert"}
"""What takes long, and no network."""


def rules(path):
    """Each rule's name and its text."""
    _, *parts = RULE.split(path.read_text(encoding="utf-8"))
    return zip(parts[::2], parts[1::2], strict=True)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_rule_with_an_output_tells_its_memory_and_its_time(path):
    for _, text in rules(path):
        makes_a_file = re.search(r"^ *output:$", text, re.MULTILINE)
        for resource in ("mem_mb=", "runtime="):
            assert (resource in text) == bool(makes_a_file)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_only_what_takes_long_goes_to_a_node(path):
    for name, text in rules(path):
        does_something = re.search(r"^ *(script|shell):$", text, re.MULTILINE)
        stays = "localrule: True" in text
        assert stays == bool(does_something and name not in ON_NODES), name
