"""Plug-ins by their names: a file each, or several in a file."""

import pytest

from trainmark.study import digest, plugins

SHAPES = '''"""Figures with corners."""

from shapes import figure

TITLE = "Shapes"


@figure(
    title="A square",
    corners=2 + 2,
    sides=(1, 2),
)
def square(size):
    """Four equal sides."""
    return size**2


def helper():
    """No figure."""


triangle = figure(title="A triangle")
'''
CIRCLE = '"""A figure of its own."""\n\nTITLE = "A circle"\nCORNERS = int("0")\n'


@pytest.fixture
def figures(tmp_path, monkeypatch):
    (tmp_path / "shapes_with_corners.py").write_text(SHAPES)
    (tmp_path / "circle.py").write_text(CIRCLE)
    monkeypatch.setattr(plugins, "FOLDERS", {"figure": tmp_path})
    plugins.facts.cache_clear()
    yield tmp_path
    plugins.facts.cache_clear()


def test_a_file_is_one_plug_in_or_several(figures):
    assert plugins.names("figure") == ["circle", "square", "triangle"]
    assert plugins.path("figure", "triangle") == figures / "shapes_with_corners.py"


def test_the_facts_of_a_plug_in_are_its_literals(figures):
    assert plugins.facts("figure", "circle") == {"TITLE": "A circle"}
    assert plugins.facts("figure", "square") == {"TITLE": "A square", "SIDES": (1, 2)}
    assert plugins.facts("figure", "triangle") == {"TITLE": "A triangle"}


def test_a_file_of_several_is_none_itself(figures):
    with pytest.raises(plugins.UnknownPlugin, match="known: circle, square, triangle"):
        plugins.path("figure", "shapes_with_corners")


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ('"A square"', '"The square"', False),
        ('title="A square",\n    corners=2 + 2,', 'title="A square", corners=2 + 3,', True),
        ("(1, 2)", "(1, 3)", True),
        ("Four equal sides", "As many sides", False),
    ],
)
def test_what_a_plug_in_states_for_readers_is_no_code_of_it(figures, old, new, counts):
    file = figures / "shapes_with_corners.py"
    before = digest.source(file).code
    assert old in SHAPES
    file.write_text(SHAPES.replace(old, new))
    assert (digest.source(file).code != before) is counts
