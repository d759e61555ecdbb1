"""Digests of code: when the code that makes an output changes, the output is made again.

Rules depend on these digests rather than on the files: a workflow of thousands of runs would check
each file once for each run. A digest stays the same when a file is touched, and when a comment, a
docstring or one of a plug-in's FOR_READERS facts is edited.
"""

import ast
import hashlib
import io
import json
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from trainmark.study import datasets, plugins
from worker import devices

OWN_PACKAGES = ("trainmark", "worker")
RUN_SETTINGS = ("adapter", "device", "network", "stage")
BROWSER_FILES = ("*.html", "*.js", "*.css")
SHOWN_KINDS = ("framework", "metric", "stage", "dialect", "attack")
"""Kinds of plug-ins whose titles, units and colours tables and figures show."""

# Facts of plug-ins that only tables and figures show: no run depends on them.
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
CACHED_FILES = 1000


@cache
def of_run(
    adapter: str,
    device: str,
    network: str,
    stage: str,
    corruptions: tuple[str, ...] = (),
    attacks: tuple[str, ...] = (),
) -> str:
    """Digest of the runner, adapter, network, stage, corruptions, attacks, and their imports."""
    names = [("framework", adapter), ("network", network), ("stage", stage)]
    names += [("corruption", name) for name in corruptions]
    files = [plugins.SCRIPTS / "worker" / "run.py", *(plugins.path(*name) for name in names)]
    if attacks:
        files.append(plugins.SCRIPTS / "worker" / "attacks" / "harness" / "attacker.py")
        files += [plugins.path("attack", name) for name in attacks]
    _, nodes, per_node = devices.shape(device)
    if nodes * per_node > 1:
        files.append(plugins.path("framework", adapter).with_name("devices.py"))
    if nodes > 1:
        files.append(plugins.path("framework", adapter).with_name("nodes.py"))
        files.append(plugins.SCRIPTS / "worker" / "ranks" / "follow.py")
    closure = _closure(file for file in files if file.exists())
    return _digest(closure | _beside(closure))


@cache
def of_reference(network: str, stage: str) -> str:
    """Digest of the code that computes the parity reference of a network in a stage."""
    script = plugins.SCRIPTS / "worker" / "proof" / "reference.py"
    paths = plugins.path("network", network), plugins.path("stage", stage)
    return _digest(_closure([script, *paths]))


@cache
def of_conversion(dataset: str, format_name: str) -> str:
    """Digest of the code, in trainmark.data, that converts a data set to a format.

    It reads the data set, makes its variants and writes the format.
    """
    data = plugins.SCRIPTS / "trainmark" / "data"
    facts = datasets.facts(dataset)
    makers = [plugins.path("data set", facts.plugin), plugins.path("format", format_name)]
    while facts.base and facts.variant:
        makers.append(plugins.path("variant", facts.variant))
        facts = datasets.facts(facts.base)
    files = _closure([data / "convert.py", *makers])
    return _digest(file for file in files if data in file.parents)


@cache
def of_script(rule: str, *kinds: str) -> str:
    """Digest of a rule's script, all plug-ins of these kinds, and their imports."""
    paths = [plugins.path(kind, name) for kind in kinds for name in plugins.names(kind)]
    return _digest(_closure([_script(rule), *paths]))


@cache
def of_report(rule: str, kind: str | None = None, name: str = "") -> str:
    """Digest of a rule's script, its plug-in, the readers of the CSV that it shows, and imports.

    It includes the facts of all plug-ins of SHOWN_KINDS. A rule without plug-in may read any CSV.
    """
    csv = [plugins.path("csv", name) for name in plugins.names("csv")]
    paths = _shown_by(kind, name) if kind else csv
    facts = {
        shown: {each: plugins.facts(shown, each) for each in plugins.names(shown)}
        for shown in SHOWN_KINDS
    }
    stated = json.dumps([facts, [plugins.facts(kind, name)] if kind else []], sort_keys=True)
    files = _closure([_script(rule), *paths])
    return _digest(files | _beside(files), stated)


def _shown_by(kind: str, name: str) -> list[Path]:
    """The file of a table, figure or published study, and the file that reads its CSV."""
    csv = plugins.facts(kind, name).get("SOURCE", "measurements")
    is_csv = csv in plugins.names("csv")
    return [plugins.path(kind, name), *([plugins.path("csv", csv)] if is_csv else [])]


def _script(rule: str) -> Path:
    return plugins.SCRIPTS / f"{rule}.py"


def _beside(files: Iterable[Path]) -> set[Path]:
    """The files for browsers that are in the same folders as these files."""
    folders = {path.parent for path in files}
    return {path for folder in folders for kind in BROWSER_FILES for path in folder.glob(kind)}


def _closure(files: Iterable[Path]) -> set[Path]:
    """The files, and trainmark's files that they import, directly or indirectly."""
    closure: set[Path] = set()
    waiting = list(files)
    while waiting:
        path = waiting.pop()
        if path not in closure:
            closure.add(path)
            waiting += _imported(path) - closure
    return closure


@cache
def _imported(path: Path) -> set[Path]:
    """Trainmark's files that a file imports."""
    return {file for name in source(path).imported for file in _files(name)}


@cache
def _files(name: str) -> list[Path]:
    """The files behind a dotted name, with those of the packages around it."""
    parts = name.split(".")
    if parts[0] not in OWN_PACKAGES:
        return []
    modules = [plugins.SCRIPTS.joinpath(*parts[:depth]) for depth in range(1, len(parts) + 1)]
    candidates = [(module.with_suffix(".py"), module / "__init__.py") for module in modules]
    return [path for pair in candidates for path in pair if path.exists()]


def _digest(files: Iterable[Path], more: str = "") -> str:
    """SHA-256 over the code of files in the order of their paths, as hexadecimal digits."""
    sha256 = hashlib.sha256(more.encode())
    for path in sorted(set(files)):
        is_python = path.suffix == ".py"
        code = source(path).code if is_python else path.read_text(encoding="utf-8")
        sha256.update(code.encode() + b"\0")
    return sha256.hexdigest()


class Source(NamedTuple):
    """A file's code, and the dotted names of its imports."""

    code: str
    imported: frozenset[str]


def source(path: Path) -> Source:
    """The code and imports of a file; the file is read again only after a change."""
    state = path.stat()
    return _read(path, state.st_mtime_ns, state.st_size)


@lru_cache(CACHED_FILES)
def _read(path: Path, _changed: int, _bytes: int) -> Source:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    statements = list(_statements(tree))
    unused = [*_texts(statements), *(_facts_for_readers(tree) if plugins.is_plugin(path) else [])]
    return Source(_code(text, unused), frozenset(_names_imported(statements)))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements in a node, nested ones included, without descending into expressions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield child
            yield from _statements(child)


def _names_imported(statements: Iterable[ast.AST]) -> Iterator[str]:
    """The dotted names of imported modules, and of names imported from modules."""
    for node in statements:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _code(text: str, unused: Iterable[ast.stmt | ast.keyword]) -> str:
    """The text without comments, blank lines and what isn't executed.

    It is text, not a syntax tree, since the tree's form changes with the version of Python.
    """
    lines = text.splitlines()
    for row, column in _comments(text):
        lines[row - 1] = lines[row - 1][:column]
    dropped = {
        number
        for node in unused
        if _is_alone(node, lines)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    kept = (line.rstrip() for number, line in enumerate(lines, start=1) if number not in dropped)
    return "\n".join(line for line in kept if line)


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """The lines and columns of comments; most files have none, and tokenizing is slow."""
    if "#" in text:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start


def _is_alone(node: ast.stmt | ast.keyword, lines: Sequence[str]) -> bool:
    """Whether nothing else but a comma is on a node's lines."""
    last = lines[(node.end_lineno or node.lineno) - 1].encode()
    before = lines[node.lineno - 1].encode()[: node.col_offset]
    return not before.strip() and last[node.end_col_offset :].strip() in (b"", b",")


def _texts(statements: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """Docstrings, of files, classes, functions and constants."""
    for node in statements:
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                yield node


def _facts_for_readers(tree: ast.Module) -> Iterator[ast.stmt | ast.keyword]:
    """The facts of a plug-in that only tables and figures show."""
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in FOR_READERS:
                if plugins.literal_fact(name, value):
                    yield statement
    for _, call in plugins.defining_calls(tree):
        yield from (each for each in call.keywords if str(each.arg).upper() in FOR_READERS)
