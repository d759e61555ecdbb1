"""Logs of runs that trainmark didn't start become measurements, marked as what they are."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from recorded import LOGS

from trainmark.analyse.compare.configurations import main_values
from trainmark.analyse.csv.measurements import COLUMNS
from trainmark.analyse.sets import adopted
from trainmark.analyse.sets.merged import merged, sources
from trainmark.analyse.sets.result_set import ResultSet
from trainmark.report.compare import adopted as report
from trainmark.report.compare import machines
from trainmark.study.config import schemas
from trainmark.study.plugins import UnknownPlugin

CAFFE = LOGS / "caffe.log"


def log(*files: Path, **settings: Any) -> dict[str, Any]:
    """An entry of the key logs."""
    return {
        "files": [str(file) for file in files],
        "dialect": "caffe",
        "framework": "caffe",
        "network": "lenet",
        "batch_size": 64,
        "dataset": "digits",
        "machine": "a PC of 2016",
        **settings,
    }


def test_a_compressed_log_is_read_to_where_it_is_cut_off(tmp_path: Path) -> None:
    whole = gzip.compress(CAFFE.read_bytes())
    part, none = tmp_path / "part.gz", tmp_path / "none.gz"
    part.write_bytes(whole[: len(whole) * 9 // 10])
    none.write_bytes(whole[:5])
    assert adopted.speed(part, log(), "").statements < adopted.speed(CAFFE, log(), "").statements
    with pytest.raises(adopted.UnreadableLog, match="has no line that came to its end"):
        adopted.speed(none, log(), "")


def test_a_log_becomes_measurements_that_tables_take() -> None:
    speeds = adopted.speeds(
        "quick", {"old": log(CAFFE, CAFFE), "two": log(CAFFE, batch_size="128")}
    )
    table = adopted.measurements(speeds)
    validator = Draft202012Validator(schemas.load("measurement"))
    assert list(table) == list(COLUMNS)
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    assert [error for row in rows for error in validator.iter_errors(row)] == []
    first, second = main_values(table).itertuples()
    assert (first.n, second.n) == (2, 1)
    assert second.mean == pytest.approx(2 * first.mean)
    assert "no parity, no telemetry" in first.remark


def test_its_speed_is_the_only_thing_that_is_known() -> None:
    table = adopted.measurements(adopted.speeds("quick", {"old": log(CAFFE)}))
    values = table[table["value"].notna()]
    assert sorted(values["metric"]) == ["logged_speed", "training_speed"]
    assert table[table["value"].isna()]["absent"].notna().all()


def test_it_stands_beside_other_machines() -> None:
    old, new = (
        adopted.measurements(adopted.speeds("quick", {"log": log(CAFFE, machine=machine)}))
        for machine in ("a PC of 2016", "a PC of 2026")
    )
    sets = [ResultSet("here", new, []), ResultSet("there", old, [])]
    table = machines.table(merged(sets), sources(sets))
    assert {"a PC of 2016", "a PC of 2026"} < set(table.shown)
    assert table.shown["a PC of 2016"].iloc[0].endswith(" †")
    assert machines.FROM_LOG in table.notes


def test_the_table_says_of_what_a_speed_is_the_mean_and_what_it_leaves_out() -> None:
    speeds = adopted.speeds("quick", {"old": log(CAFFE)})
    table = report.table(speeds)
    assert table.shown["log"].iloc[0] == "old"
    assert table.shown["from"].iloc[0] == "caffe: 7 lines"  # the first one has no speed
    assert any(note.startswith("caffe: leaves out ") for note in table.notes)


def test_a_time_is_a_speed_where_the_user_says_of_how_many_steps(tmp_path: Path) -> None:
    tutorial = tmp_path / "theano.log"
    tutorial.write_text("training @ iter =  0\nThe code for file mlp.py ran for 2.00m\n")
    entry = log(tutorial, dialect="theano")
    with pytest.raises(adopted.UnreadableLog, match="by the key steps"):
        adopted.speeds("quick", {"old": entry})
    (row,) = adopted.speeds("quick", {"old": {**entry, "steps": "300"}}).itertuples()
    assert (row.value, row.basis) == (160.0, "time")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "has no line that came to its end"),
        (b"\n\n", "has no line that came to its end"),
        (b"Iteration 1 (2 iter/s), loss =", "has no line that came to its end"),
        (b"hello\nworld\n", "it begins with 'hello'"),
        (
            b"\n10\timages/sec: 4.0 +/- 0.1 (jitter = 0.1)\t8.7\n",
            "in the dialect tf_cnn_benchmarks",
        ),
        (bytes(range(256)) * 9 + b"\n", "states no speed: expected lines like "),
    ],
)
def test_an_unreadable_log_is_reported_in_one_line(
    tmp_path: Path, content: bytes, expected: str
) -> None:
    file = tmp_path / "bad.log"
    file.write_bytes(content)
    with pytest.raises(adopted.UnreadableLog) as caught:
        adopted.speeds("quick", {"mine": log(file)})
    message = str(caught.value)
    assert message.startswith(f"logs: mine: {file} ")
    assert expected in message
    assert "\n" not in message


def test_an_unknown_dialect_is_reported_with_those_there_are() -> None:
    with pytest.raises(UnknownPlugin, match="unknown dialect 'klingon'; known: caffe, "):
        adopted.speeds("quick", {"mine": log(CAFFE, dialect="klingon")})


def test_entries_that_would_be_taken_for_repeats_of_each_other_are_refused() -> None:
    logs = {"old": log(CAFFE, machine="a PC of 2016"), "new": log(CAFFE, machine="a PC of 2026")}
    with pytest.raises(adopted.SameConfiguration, match="old and new are of the same"):
        adopted.speeds("quick", logs)


@pytest.mark.parametrize("name", ["caffe_nan", "mxnet_speedometer_nan"])
def test_a_training_that_diverged_has_no_speed(name: str) -> None:
    diverged = log(LOGS / f"{name}.log", dialect=name.removesuffix("_nan"))
    with pytest.raises(adopted.Diverged, match="its loss is not finite at step"):
        adopted.speeds("quick", {"old": diverged})
