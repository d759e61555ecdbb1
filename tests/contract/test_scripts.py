"""A rule's script is found by the rule's name; a rule's shell command is a single one."""

import re
from pathlib import Path

import pytest

RULES = sorted((Path(__file__).parents[2] / "workflow" / "rules").glob("*.smk"))
RULE = re.compile(r"^rule (\w+):", re.MULTILINE)
SCRIPT = re.compile(r'script:\s+"\.\./scripts/(\w+)\.py"')
SHELL = re.compile(r'shell:((?:\s+"[^"\n]*")+)')


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_script_is_named_after_its_rule(path):
    _, *parts = RULE.split(path.read_text(encoding="utf-8"))
    for rule, text in zip(parts[::2], parts[1::2], strict=True):
        assert SCRIPT.findall(text) in ([], [rule])


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_rules_shell_command_is_a_single_one(path):
    """Snakemake's shell becomes the job (common.smk): what came after it would never begin."""
    text = path.read_text(encoding="utf-8")
    commands = SHELL.findall(text)
    assert len(commands) == text.count("shell:")
    assert not [command for command in commands if re.search("[;&|]", command)]
