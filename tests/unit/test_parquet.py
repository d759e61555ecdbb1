"""The tidy table as Parquet."""

import pandas as pd
from fastparquet import ParquetFile

from trainmark.analyse.csv import measurements


def test_it_is_the_same_table(recorded_runs, tmp_path):
    table = measurements.tabulate(recorded_runs)
    table.to_csv(tmp_path / "measurements.csv", index=False)
    measurements.write_parquet(table, tmp_path / "measurements.parquet")
    read = ParquetFile(str(tmp_path / "measurements.parquet")).to_pandas()
    expected = measurements.read(tmp_path / "measurements.csv")
    assert list(read.columns) == list(expected.columns)
    for name in expected:
        same = read[name].isna() == expected[name].isna()
        assert same.all(), name
        valued = expected[name].notna()
        pd.testing.assert_series_equal(
            read[name][valued], expected[name][valued], check_dtype=False
        )


def test_a_number_of_threads_stands_beside_all_of_them(recorded_runs, tmp_path):
    table = measurements.tabulate(recorded_runs)
    mixed = table.assign(thread_count=[1, *table["thread_count"].iloc[1:]])
    measurements.write_parquet(mixed, tmp_path / "measurements.parquet")
    read = ParquetFile(str(tmp_path / "measurements.parquet")).to_pandas()
    assert set(read["thread_count"]) == {"1", "all"}
