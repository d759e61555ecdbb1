"""Whether a study file can be read, and has each name once; errors name its line."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from trainmark.study.config.errors import StudyError, position


def read(file: Path) -> dict[str, Any]:
    """The content of a YAML or JSON file with each name once in a mapping. Raises StudyError."""
    check(file)
    check_duplicates(file)
    text = file.read_text(encoding="utf-8")
    try:
        content: dict[str, Any] = json.loads(text) if _is_json(text) else yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:  # a tag, or a date that there is not
        raise StudyError(f"{file}: {' '.join(str(error).split())}") from None
    return content


def check(file: Path) -> None:
    """Raise StudyError unless a file is JSON or finite YAML with keys at its top, each once."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise StudyError(f"{file}: {error.strerror}; give the path of a study file") from None
    except UnicodeDecodeError as error:
        raise StudyError(f"{file}: byte {error.start} is no text (UTF-8)") from None
    if _is_json(text):
        return
    root = _composed(text, file)
    if not isinstance(root, yaml.MappingNode):
        raise StudyError(f"{file}: there are no keys in it; a study begins with `study: <name>`")
    _check_node(root, file)


def check_duplicates(file: Path) -> None:
    """Raise StudyError for a name that is twice in a mapping of a YAML or JSON file.

    Snakemake, which reads the file, silently keeps the last: two cases of one name would be one.
    """
    try:
        root = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except yaml.YAMLError:  # JSON indented with tabs: Snakemake has read the file before
        return
    if root is not None:
        _check_node(root, file)


def _is_json(text: str) -> bool:
    """Whether it is a mapping in JSON, which may be indented with tabs."""
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _composed(text: str, file: Path) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise StudyError(f"{file}: line {line}: {error.reason}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        assert mark
        raise StudyError(
            f"{file}: line {mark.line + 1}, column {mark.column + 1}: {error.problem}; YAML wants "
            "spaces, the same number before keys of the same mapping"
        ) from None


def _check_node(
    node: yaml.Node, file: Path, path: tuple[str | int, ...] = (), outer: Sequence[yaml.Node] = ()
) -> None:
    """Raise StudyError where a mapping has a name twice, or a node is among those around it."""
    if node in outer:
        raise StudyError(
            f"{file}: {position(path)}: an alias of what it is in, which begins in line "
            f"{node.start_mark.line + 1}; write out what is meant"
        )
    if isinstance(node, yaml.MappingNode):
        _check_keys([name for name, _ in node.value], f"{file}: {position(path)}")
    for step, child in _children(node):
        _check_node(child, file, (*path, step), (*outer, node))


def _check_keys(names: list[yaml.Node], where: str) -> None:
    lines: dict[str, int] = {}
    for name in names:
        line = name.start_mark.line + 1
        if not isinstance(name, yaml.ScalarNode):
            raise StudyError(f"{where}: line {line}: a mapping or a list is no name of a key")
        if name.value in lines:
            raise StudyError(
                f"{where}: {name.value} entered twice, in line {lines[name.value]} and in line "
                f"{line}, and only the last would count; rename or remove one"
            )
        lines[name.value] = line


def _children(node: yaml.Node) -> Iterator[tuple[str | int, yaml.Node]]:
    """The parts of a node, each with the key or the number that leads to it."""
    if isinstance(node, yaml.MappingNode):
        yield from ((name.value, value) for name, value in node.value)
    if isinstance(node, yaml.SequenceNode):
        yield from enumerate(node.value)
