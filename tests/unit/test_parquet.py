"""measurements.parquet: the same table as measurements.csv."""

import pandas as pd

from trainmark.analyse.csv import measurements, read


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
