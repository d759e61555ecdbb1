"""Each rule that makes a file says what it takes, for clusters, which ask before."""

import re
from pathlib import Path

import pytest

RULES = sorted((Path(__file__).parents[2] / "workflow" / "rules").glob("*.smk"))
RULE = re.compile(r"^ *rule[^\n]*:$", re.MULTILINE)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_rule_with_an_output_tells_its_memory_and_its_time(path):
    for text in RULE.split(path.read_text(encoding="utf-8"))[1:]:
        makes_a_file = re.search(r"^ *output:$", text, re.MULTILINE)
        for resource in ("mem_mb=", "runtime="):
            assert (resource in text) == bool(makes_a_file)
