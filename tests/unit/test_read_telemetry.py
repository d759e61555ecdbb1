"""telemetry.csv in memory: a column of numbers for each of its columns."""

import numpy as np
import pytest

from trainmark.analyse.run import telemetry


def written(folder, text):
    path = folder / "telemetry.csv"
    path.write_text(text)
    return path


def test_what_was_not_read_is_nan(tmp_path):
    read = telemetry.read(written(tmp_path, "time_seconds,own_memory_bytes\n1.5,4096\n1.6,\n"))
    assert read["time_seconds"].tolist() == [1.5, 1.6]
    np.testing.assert_equal(read["own_memory_bytes"], [4096.0, np.nan])


def test_without_samples_columns_are_empty(tmp_path):
    read = telemetry.read(written(tmp_path, "time_seconds,own_memory_bytes\n"))
    assert {name: values.tolist() for name, values in read.items()} == {
        "time_seconds": [],
        "own_memory_bytes": [],
    }


@pytest.mark.parametrize("text", ["", "time_seconds,own_memory_bytes\n1.5,4096\n1.6\n"])
def test_a_cut_off_file_is_refused(tmp_path, text):
    with pytest.raises(ValueError, match=r"unpack|shape|reshape"):
        telemetry.read(written(tmp_path, text))
