"""What every table in the folder must fulfil, a new one without a change to this test."""

import pandas as pd
import pytest

from trainmark.report.words import writers
from trainmark.study import plugins


@pytest.mark.parametrize("name", plugins.names("table"))
def test_a_table_makes_every_format_from_recorded_measurements(name, sources, tmp_path):
    plugin = plugins.load("table", name)
    table = writers.table_of(plugin, sources[getattr(plugin, "SOURCE", "measurements")])
    for ending in writers.FORMATS:
        path = tmp_path / f"{name}.{ending}"
        writers.write(table, path)
        assert path.read_text(encoding="utf-8")
    written = pd.read_csv(tmp_path / f"{name}.csv")
    pd.testing.assert_frame_equal(written, table.numbers, check_dtype=False)
