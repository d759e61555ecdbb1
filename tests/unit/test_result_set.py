"""Requirements of a result set: measurements that agree with their schema and their runs."""

import json
import re
import shutil

import pytest
from packed_study import ABOUT, RUN, pack, written

from trainmark.analyse.sets import result_set
from trainmark.errors import TrainmarkError
from trainmark.packed import archive
from trainmark.runs import formats


@pytest.fixture(scope="module")
def folder(recorded, tmp_path_factory):
    return written(recorded, tmp_path_factory.mktemp("results"))


def with_columns(**columns):
    return lambda table: table.assign(**columns)


TABLES = {
    "a column less": (lambda table: table.drop(columns="disturbed"), "it lacks disturbed"),
    "a column more": (with_columns(node="n1"), "it has node"),
    "another status": (with_columns(status="fine"), "has the status 'fine'"),
    "no number": (with_columns(value="fast"), "has the value 'fast'"),
    "no device": (with_columns(device="tpu"), "has the device 'tpu'"),
    "a value and why there is none": (
        with_columns(value=1.0, absent="lost"),
        "has a row with both a value and the reason why there is none, or with neither",
    ),
    "a run less": (
        lambda table: table[table["framework"] != "jax"],
        "differ: lenet-digits, jax, cpu, float32, train, dataset, all, default, 64, 1, ok",
    ),
    "another end of a run": (
        lambda table: table.assign(status=table["status"].replace("ok", "failed")),
        "differ: lenet-digits, ",
    ),
}


@pytest.mark.parametrize(("change", "reason"), TABLES.values(), ids=TABLES)
def test_measurements_that_arent_as_their_schema_and_their_runs_have_them(
    folder, recorded, tmp_path, change, reason
):
    shutil.copytree(folder, tmp_path / "recorded")
    change(recorded).to_csv(tmp_path / "recorded" / "measurements.csv", index=False)
    packed = pack(tmp_path / "recorded", tmp_path / "recorded.zip")
    with pytest.raises(result_set.UnfitResults, match=re.escape(reason)) as caught:
        result_set.read(packed)
    assert str(caught.value).startswith(f"{packed}: its measurements.csv ")
    assert "\n" not in str(caught.value)


def test_a_folder_of_another_table_is_refused_likewise(recorded, tmp_path):
    recorded.drop(columns="disturbed").to_csv(tmp_path / "measurements.csv", index=False)
    with pytest.raises(
        result_set.UnfitResults, match=r"no table of format \d: it lacks disturbed$"
    ):
        result_set.read(tmp_path / "measurements.csv")


def test_columns_that_an_earlier_version_did_not_have_are_filled(recorded, tmp_path):
    earlier = recorded.drop(columns=["thread_count", "default_of", "machine_name", "format"])
    earlier.to_csv(tmp_path / "measurements.csv", index=False)
    table = result_set.read(tmp_path / "measurements.csv").measurements
    assert set(table["thread_count"]) == {"all"}
    assert table["default_of"].isna().all()
    assert set(table["format"]) == {1}


def test_measurements_of_a_later_format_are_refused(recorded, tmp_path):
    later = recorded.assign(format=formats.FORMAT + 1)
    later.to_csv(tmp_path / "measurements.csv", index=False)
    with pytest.raises(
        formats.UnknownFormat, match=r"measurements\.csv is of format \d+, and this"
    ):
        result_set.read(tmp_path / "measurements.csv")


def test_an_archive_holds_nothing_of_a_later_format_than_its_own(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "FORMAT", 1)
    packed = pack(folder, tmp_path / "recorded.zip")
    with pytest.raises(
        result_set.UnfitResults, match=r"of format 1, and holds results of format \d"
    ):
        result_set.read(packed)


def test_a_folder_may_have_measurements_alone(recorded, tmp_path):
    recorded.to_csv(tmp_path / "measurements.csv", index=False)
    results = result_set.read(tmp_path / "measurements.csv")
    assert (len(results.measurements), list(results.records)) == (len(recorded), [])


def test_runs_that_left_the_study_are_none_of_its_records(folder, recorded, tmp_path):
    left = recorded[(recorded["framework"] != "jax") & (recorded["repeat"] < 3)]
    smaller = tmp_path / "smaller"
    shutil.copytree(folder, smaller)
    left.to_csv(smaller / "measurements.csv", index=False)
    jobs = [record["job"] for record in result_set.read(smaller / "measurements.csv").records]
    assert {job["framework"] for job in jobs} == set(left["framework"])
    assert {job["repeat"] for job in jobs} == {1, 2}


def without_host(record):
    del record["provenance"]["host"]
    return json.dumps(record)


def on_strange_hosts(record):
    record["provenance"] |= {"host": 7, "nodes": 7}
    return json.dumps(record)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (without_host, "a run.json isn't as its schema has it: provenance breaks the rule 'requi"),
        (on_strange_hosts, "provenance/host breaks the rule 'type'"),
        (lambda record: "[]", f"recorded.zip: {RUN} is damaged: it is no record of a run"),
        (lambda record: "what?", f"recorded.zip: {RUN} is damaged: Expecting value: line 1"),
        (lambda record: "[" * 100_000, "is damaged: maximum recursion depth exceeded"),
    ],
)
def test_runs_that_arent_as_their_schema_has_them(folder, tmp_path, change, reason):
    shutil.copytree(folder, tmp_path / "recorded")
    run = tmp_path / "recorded" / RUN
    run.write_text(change(json.loads(run.read_text())))
    packed = pack(tmp_path / "recorded", tmp_path / "recorded.zip")
    with pytest.raises(TrainmarkError, match=re.escape(reason)):
        result_set.read(packed)


def test_an_archive_without_measurements(folder, tmp_path):
    archive.pack({RUN: folder / RUN}, ABOUT, tmp_path / "runs.zip")
    with pytest.raises(result_set.UnfitResults, match=r"it holds no measurements\.csv"):
        result_set.read(tmp_path / "runs.zip")
