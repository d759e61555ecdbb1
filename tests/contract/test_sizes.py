"""No file and no function runs away: a guard against forgetting, not a measure of meaning."""

import ast

import pytest

from trainmark.study import plugins

FILE_LINES, FUNCTION_LINES = 300, 60
FILES = [
    pytest.param(path, id=str(path.relative_to(plugins.SCRIPTS)))
    for path in sorted(plugins.SCRIPTS.rglob("*.py"))
]


@pytest.mark.parametrize("path", FILES)
def test_a_file_has_no_more_than_300_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= FILE_LINES


@pytest.mark.parametrize("path", FILES)
def test_a_function_has_no_more_than_60_lines(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno < FUNCTION_LINES, node.name
