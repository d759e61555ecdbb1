"""No file and no function runs away: a guard against forgetting, not a measure of meaning."""

import ast

from trainmark.study import plugins

FILE_LINES, FUNCTION_LINES = 300, 50
TEXTS = {
    path.relative_to(plugins.SCRIPTS): path.read_text(encoding="utf-8")
    for path in sorted(plugins.SCRIPTS.rglob("*.py"))
}


def test_a_file_has_no_more_than_300_lines():
    too_long = [str(path) for path, text in TEXTS.items() if len(text.splitlines()) > FILE_LINES]
    assert too_long == []


def test_a_function_has_no_more_than_50_lines():
    functions = [
        (path, node)
        for path, text in TEXTS.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    ]
    too_long = [
        f"{path}: {node.name}"
        for path, node in functions
        if node.end_lineno - node.lineno >= FUNCTION_LINES
    ]
    assert too_long == []
