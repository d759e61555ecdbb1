"""measurements.parquet: the same table as measurements.csv."""

import pandas as pd
import pytest

from trainmark.analyse.csv import measurements, read
from trainmark.files import DamagedFile


def test_it_is_the_same_table(recorded_runs, tmp_path):
    table = measurements.tabulate(recorded_runs)
    table.to_csv(tmp_path / "measurements.csv", index=False)
    measurements.write_parquet(table, tmp_path / "measurements.parquet")
    same = read(tmp_path / "measurements.parquet")
    pd.testing.assert_frame_equal(same, read(tmp_path / "measurements.csv"))


def test_a_number_of_threads_stands_beside_all_of_them(recorded_runs, tmp_path):
    table = measurements.tabulate(recorded_runs)
    mixed = table.assign(thread_count=[1, *table["thread_count"].iloc[1:]])
    measurements.write_parquet(mixed, tmp_path / "measurements.parquet")
    written = read(tmp_path / "measurements.parquet")
    assert set(written["thread_count"]) == {"1", "all"}


@pytest.mark.parametrize("length", [0, 1000])
def test_a_file_that_was_cut_off_is_damaged(recorded_runs, tmp_path, length):
    path = tmp_path / "measurements.parquet"
    measurements.write_parquet(measurements.tabulate(recorded_runs), path)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(DamagedFile, match=r"is damaged \(it doesn't end as Parquet does\)"):
        read(path)
