"""Files that are dated later than now, as after a clock was set back."""

import os
import time

from trainmark import file_times


def test_files_of_the_future_are_dated_now(tmp_path):
    past, future, absent = (tmp_path / name for name in ("past", "future", "absent"))
    past.touch()
    future.touch()
    before = past.stat().st_mtime_ns
    os.utime(future, (time.time() + 1000,) * 2)
    assert file_times.redate_future([past, future, absent]) == 1
    assert future.stat().st_mtime <= time.time()
    assert past.stat().st_mtime_ns == before


def test_they_may_be_dated_some_seconds_ago(tmp_path):
    os.utime(tmp_path, (time.time() + 1000,) * 2)
    assert file_times.redate_future([tmp_path], age_seconds=30) == 1
    assert tmp_path.stat().st_mtime <= time.time() - 30


def test_a_study_s_files_are_all_but_those_of_its_runs(tmp_path):
    for name in ("runs/lenet/run.json", "charts/runs/speed.csv", "measurements.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    names = {str(path.relative_to(tmp_path)) for path in file_times.of_study(tmp_path)}
    assert names == {"charts/runs/speed.csv", "measurements.csv"}


def test_a_folder_has_changed_where_a_file_of_it_has_or_a_name_came_or_went(tmp_path):
    record, log = tmp_path / "run.json", tmp_path / "worker.log"
    for path in (record, log):
        path.touch()

    def date(seconds):
        for path in (record, log, tmp_path):
            os.utime(path, (seconds, seconds))

    date(1_000)
    assert not file_times.is_changed(tmp_path, since=2_000)
    os.utime(log, (3_000, 3_000))
    assert file_times.is_changed(tmp_path, since=2_000)
    date(1_000)
    log.unlink()
    assert file_times.is_changed(tmp_path, since=2_000)
    assert not file_times.is_changed(tmp_path / "none", since=2_000)
