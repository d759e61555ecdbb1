"""What every figure found in the folder must keep, unasked."""

import importlib

import pandas as pd
import pytest

from trainmark.report import style
from trainmark.study import plugins

SIGNATURES = {".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}


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
    bars = [bar.get_width() for axes in figure.axes for bar in axes.patches]
    assert bars == pytest.approx(written["mean"].dropna().tolist())
