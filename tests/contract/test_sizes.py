"""No file and no function of the code is longer than CONTRIBUTING.md allows."""

import ast

import pytest

from trainmark.study import plugins

SCRIPT_LINES, PLUGIN_LINES, FILE_LINES, FUNCTION_LINES = 100, 150, 250, 40
ONE_FILE_EACH = [folder for kind, folder in plugins.FOLDERS.items() if kind != "framework"]
FILES = [
    pytest.param(path, id=str(path.relative_to(plugins.SCRIPTS)))
    for path in sorted(plugins.SCRIPTS.rglob("*.py"))
]


def most_lines(path):
    if path.parent == plugins.SCRIPTS:
        return SCRIPT_LINES
    return PLUGIN_LINES if path.parent in ONE_FILE_EACH else FILE_LINES


@pytest.mark.parametrize("path", FILES)
def test_a_file_is_no_longer_than_one_reads_at_a_stretch(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= most_lines(path)


@pytest.mark.parametrize("path", FILES)
def test_a_function_fits_on_a_screen(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno < FUNCTION_LINES, node.name
