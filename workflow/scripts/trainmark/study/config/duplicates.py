"""Duplicate names in a study's file, such as two cases of the same name.

Snakemake, which reads the file, silently keeps the last of them: the runs of the other one would be
missing from the study.
"""

from collections.abc import Iterator
from pathlib import Path

import yaml

from trainmark.study.config.errors import StudyError, position


def check(file: Path) -> None:
    """Raise StudyError for a name that is twice in a mapping of a YAML or JSON file."""
    try:
        root = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except yaml.YAMLError:  # JSON indented with tabs: Snakemake has read the file before
        return
    if root is not None:
        _check(root, file, ())


def _check(node: yaml.Node, file: Path, path: tuple[str | int, ...]) -> None:
    if isinstance(node, yaml.MappingNode):
        _check_names([name for name, _ in node.value], f"{file}: {position(path)}")
    for step, child in _children(node):
        _check(child, file, (*path, step))


def _check_names(names: list[yaml.ScalarNode], where: str) -> None:
    lines: dict[str, int] = {}
    for name in names:
        line = name.start_mark.line + 1
        if name.value in lines:
            raise StudyError(
                f"{where}: {name.value} entered twice, in line {lines[name.value]} and in line "
                f"{line}, and only the last would count; rename or remove one"
            )
        lines[name.value] = line


def _children(node: yaml.Node) -> Iterator[tuple[str | int, yaml.Node]]:
    """What a node consists of, each with its step of the place in a message."""
    if isinstance(node, yaml.MappingNode):
        yield from ((name.value, value) for name, value in node.value)
    if isinstance(node, yaml.SequenceNode):
        yield from enumerate(node.value)
