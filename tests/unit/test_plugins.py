"""Plug-ins by their names: a file each, or several in a file."""

import pytest
from small_study import case, make

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


def figures_of(study):
    return set(plugins.applicable("figure", [run.settings for run in study.runs.values()]))


def test_a_figure_along_a_setting_is_drawn_where_a_case_has_several_values_of_it():
    several = {**case()["lenet-digits"], "batch_sizes": [32, 64]}
    del several["batch_size"]
    assert "speed_batch" not in figures_of(make())
    assert "speed_batch" in figures_of(make(cases={"lenet-digits": several}))
    assert {"training_speed", "learning_curve"} <= figures_of(make())


def test_batches_that_differ_by_stage_alone_are_not_several():
    one = [{"where": {"stage": "infer"}, "set": {"batch_size": 1}}]
    figures = figures_of(
        make(stages=["train", "infer"], input_modes=["dataset", "synthetic"], overrides=one)
    )
    assert not {"speed_batch", "latency_batch"} & figures


def test_a_figure_of_scaling_is_drawn_where_a_case_has_several_numbers_of_a_kind():
    assert "scaling" not in figures_of(make(devices=["cpu", "cuda:1"]))
    assert "scaling" in figures_of(make(devices=["cpu", "cpu:2x1"]))


def test_a_figure_of_own_logs_is_drawn_where_a_framework_has_one():
    assert "logs" not in figures_of(make())
    assert "logs" in figures_of(make(frameworks=["caffe", "caffe_train"]))


def test_a_figure_of_releases_is_drawn_where_a_framework_has_some():
    assert "releases" not in figures_of(make())
    assert "releases" in figures_of(make(frameworks=[{"framework": "jax", "releases": ["0.9.2"]}]))


def test_a_figure_of_variants_is_drawn_where_a_default_has_some():
    variant = {"framework": "compiled", "adapter": "pytorch", "options": {"compile": True}}
    assert "tuned" not in figures_of(make(frameworks=["pytorch", "tensorflow"]))
    assert "tuned" not in figures_of(make(frameworks=["tensorflow", variant]))
    assert "tuned" in figures_of(make(frameworks=["pytorch", variant]))
