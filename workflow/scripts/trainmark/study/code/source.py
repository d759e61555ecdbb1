"""What of a Python file decides on what it does, and what it imports."""

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

# Constants that plug-ins state for whoever reads results: no run does anything else by them.
FOR_READERS = frozenset(
    [
        "TITLE",
        "COLOUR",
        "SOURCE",
        "PUBLISHED",
        "NUMBER_FORMAT",
        "HIGHER_IS_BETTER",
        "HIGHEST",
        "MAIN_METRIC",
    ]
)
MOST_FILES = 1000


class Source(NamedTuple):
    """A file: the code in it, and the dotted names of what it imports."""

    code: str
    imported: frozenset[str]


def read(path: Path) -> Source:
    """Read a file, once as long as it isn't changed."""
    state = path.stat()
    return _read(path, state.st_mtime_ns, state.st_size)


@lru_cache(MOST_FILES)
def _read(path: Path, _changed: int, _bytes: int) -> Source:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    statements = list(_statements(tree))
    return Source(_code(text, tree, statements), frozenset(_imported(statements)))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements in a node, those within others too, but not the many expressions in them."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield child
            yield from _statements(child)


def _imported(statements: Iterable[ast.AST]) -> Iterator[str]:
    """Modules, and what is imported from them."""
    for node in statements:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _code(text: str, tree: ast.Module, statements: Iterable[ast.AST]) -> str:
    """The text without comments, docstrings, blank lines and constants for readers.

    As text rather than as a syntax tree, whose form changes from one Python to the next.
    """
    lines = text.splitlines()
    for row, column in _comments(text):
        lines[row - 1] = lines[row - 1][:column]
    dropped = {
        number
        for node in _not_executed(tree, statements)
        if not lines[node.lineno - 1][: node.col_offset].strip()  # alone on its line
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    kept = (line.rstrip() for number, line in enumerate(lines, start=1) if number not in dropped)
    return "\n".join(line for line in kept if line)


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Where comments begin, by line and column; most files have none, and tokenizing takes long."""
    if "#" in text:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start


def _not_executed(tree: ast.Module, statements: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    for node in statements:
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                yield node
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) if name in FOR_READERS:
                yield statement
