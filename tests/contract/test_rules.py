"""What holds for every rule: its script, its command, its resources, and where it runs."""

import re
from pathlib import Path

import pytest

RULES = sorted((Path(__file__).parents[2] / "workflow" / "rules").glob("*.smk"))
RULE = re.compile(r"^rule (\w+):$", re.MULTILINE)
SCRIPT = re.compile(r'script:\s+"\.\./scripts/(\w+)\.py"')
SHELL = re.compile(r'shell:((?:\s+"[^"\n]*")+)')
ON_NODES = {"train", "reference", "convert"}
"""What takes long, and no network."""

pytestmark = pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)


def rules(path):
    """Each rule's name and its text."""
    _, *parts = RULE.split(path.read_text(encoding="utf-8"))
    return zip(parts[::2], parts[1::2], strict=True)


def test_a_script_is_named_after_its_rule(path):
    for name, text in rules(path):
        assert SCRIPT.findall(text) in ([], [name])


def test_a_rules_shell_command_is_a_single_one(path):
    """Snakemake's shell becomes the job (common.smk): what came after it would never begin."""
    text = path.read_text(encoding="utf-8")
    commands = SHELL.findall(text)
    assert len(commands) == text.count("shell:")
    assert not [command for command in commands if re.search("[;&|]", command)]


def test_a_rule_with_an_output_tells_its_memory_and_its_time(path):
    """Clusters need them beforehand."""
    for _, text in rules(path):
        makes_a_file = re.search(r"^ *output:$", text, re.MULTILINE)
        for resource in ("mem_mb=", "runtime="):
            assert (resource in text) == bool(makes_a_file)


def test_only_what_takes_long_goes_to_a_node(path):
    for name, text in rules(path):
        does_something = re.search(r"^ *(script|shell):$", text, re.MULTILINE)
        stays = "localrule: True" in text
        assert stays == bool(does_something and name not in ON_NODES), name
