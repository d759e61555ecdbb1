"""What every figure found in the folder must keep, unasked."""

import importlib

import pandas as pd
import pytest
from matplotlib.collections import QuadMesh

from trainmark.report import style
from trainmark.study import plugins

SIGNATURES = {".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}


def shown(figure):
    """The lengths of all bars and the values of all cells, sorted."""
    bars = [bar.get_width() for axes in figure.axes for bar in axes.patches]
    meshes = [
        mesh.get_array().compressed()
        for axes in figure.axes
        for mesh in axes.collections
        if isinstance(mesh, QuadMesh)
    ]
    return sorted([*bars, *(value for mesh in meshes for value in mesh)])


@pytest.mark.parametrize("name", plugins.names("figure"))
def test_a_figure_makes_four_files_from_recorded_measurements(name, recorded, tmp_path):
    plugin = importlib.import_module(f"trainmark.report.figures.{name}")
    data = plugin.data(recorded)
    with style.applied():
        figure = plugin.draw(data, plugin.TITLE)
        for ending, signature in SIGNATURES.items():
            path = tmp_path / f"{name}{ending}"
            style.save(figure, data, path)
            assert path.read_bytes().startswith(signature)
    style.save(figure, data, tmp_path / f"{name}.csv")
    written = pd.read_csv(tmp_path / f"{name}.csv")
    pd.testing.assert_frame_equal(written, data, check_dtype=False)
    value = getattr(plugin, "VALUE", "mean")  # the column that bars or cells stand for
    assert shown(figure) == pytest.approx(sorted(written[value].dropna()))
