"""What every figure in the folder must fulfil, a new one without a change to this test."""

import ast

import pandas as pd
import pytest
from matplotlib.collections import QuadMesh

from trainmark.report.draw import saving, style
from trainmark.study import plugins

SIGNATURES = {".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}


def shown(figure):
    """The values of all bars, cells, curves, rows of points and pictures, sorted.

    Of images of a data set, their numbers.
    """
    bars = [bar.get_width() for axes in figure.axes for bar in axes.patches]
    meshes = [
        mesh.get_array().compressed()
        for axes in figure.axes
        for mesh in axes.collections
        if isinstance(mesh, QuadMesh)
    ]
    curves = [
        line.get_ydata() for axes in figure.axes for line in axes.lines if line.get_gid() == "curve"
    ]
    rows = [
        line.get_xdata() for axes in figure.axes for line in axes.lines if line.get_gid() == "row"
    ]
    drawn = [image for axes in figure.axes for image in axes.images]
    images = [int(image.get_gid()) for image in drawn if image.get_gid()]
    pictures = [image.get_array().ravel() for image in drawn if not image.get_gid()]
    several = (value for values in (*meshes, *curves, *rows, *pictures) for value in values)
    return sorted([*bars, *images, *several])


def numbers_in(values):
    """The numbers in a column: one of each row, or of pictures all pixels in a text."""
    return sorted(float(number) for value in values.dropna() for number in str(value).split())


NOTE = "Cut short: at most 3 steps."
"""The note of a study, below each of its figures."""


@pytest.mark.parametrize("name", plugins.names("figure"))
def test_a_figure_makes_four_files_from_recorded_measurements_and_has_the_note_at_its_foot(
    name, sources, tmp_path
):
    plugin, facts = plugins.load("figure", name), plugins.facts("figure", name)
    data = plugin.data(sources[facts.get("SOURCE", "measurements")])
    with style.applied():
        figure = plugin.draw(data, facts["TITLE"], NOTE)
        for ending, signature in SIGNATURES.items():
            path = tmp_path / f"{name}{ending}"
            saving.save(figure, data, path)
            assert path.read_bytes().startswith(signature)
    assert figure.texts[-1].get_text().splitlines()[-1] == NOTE
    saving.save(figure, data, tmp_path / f"{name}.csv")
    written = pd.read_csv(tmp_path / f"{name}.csv")
    pd.testing.assert_frame_equal(written, data, check_dtype=False)
    value = facts.get("VALUE", "mean")  # the column that bars or cells stand for
    assert shown(figure) == pytest.approx(numbers_in(written[value]))


DECIDING = (
    "STAGES",
    "SETTING",
    "OF",
    "ALONG",
    "DEVICES",
    "RELEASES",
    "VARIANTS",
    "OF_TEXT",
    "PUBLISHED",
)
"""Constants that say which studies have a figure or a table."""


@pytest.mark.parametrize("kind", ["figure", "table"])
def test_what_says_which_studies_have_it_is_a_literal(kind):
    for name in plugins.names(kind):
        plugin, stated = plugins.load(kind, name), plugins.facts(kind, name)
        constants = [each for each in DECIDING if hasattr(plugin, each)]
        assert {each: getattr(plugin, each) for each in constants} == {
            each: stated.get(each) for each in constants
        }, name


@pytest.mark.parametrize("kind", ["figure", "metric"])
def test_what_the_host_reads_of_one_of_several_in_a_file_is_a_literal(kind):
    for file in plugins.FOLDERS[kind].glob("[!_]*.py"):
        for name, call in plugins.defining_calls(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call.func, ast.Name) and call.func.id == kind:
                stated = {str(keyword.arg).upper() for keyword in call.keywords}
                of_host = stated if kind == "metric" else stated & {*DECIDING, "TITLE", "SOURCE"}
                assert of_host <= plugins.facts(kind, name).keys(), name
