"""Records of runs: their formats, and how damage to a run's files is noticed."""

import json
import shutil

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as settings_of_hypothesis
from hypothesis.strategies import binary, floats, sampled_from
from recorded import STUDY

from trainmark.files import sealed
from trainmark.runs import formats, records
from trainmark.runs.formats import UnknownFormat
from trainmark.runs.records import DamagedRecord

RECORDED = STUDY / "runs"
RUN = "lenet-digits/pytorch/cpu/float32/train-dataset/r1"


@pytest.fixture
def folder(tmp_path):
    """A run of the present format."""
    folder = tmp_path / "run"
    shutil.copytree(RECORDED / RUN, folder)
    record = {**records.read(folder / "run.json"), "format": formats.FORMAT}
    write({**record, "files": records.digests(folder)}, folder)
    return folder


def write(record, folder):
    (folder / "run.json").write_text(json.dumps(sealed(record)), encoding="utf-8")


def settings(folder):
    return json.loads((folder / "run.json").read_text(encoding="utf-8"))["job"]


def test_a_whole_run_has_no_damage(folder):
    assert records.damage(folder, settings(folder)) is None


def test_a_record_of_the_first_format_is_read_as_one_of_this():
    before = json.loads((RECORDED / RUN / "run.json").read_text(encoding="utf-8"))
    record = records.read(RECORDED / RUN / "run.json")
    assert "format" not in before
    assert record["format"] == 1
    assert record["job"].items() >= before["job"].items()
    assert record["job"]["shuffle"] is False
    assert records.damage(RECORDED / RUN, record["job"]) is None


@pytest.mark.parametrize("number", [formats.FORMAT + 1, 0, "2", None])
def test_a_record_of_another_format_is_refused_in_one_line(folder, number):
    write({**records.read(folder / "run.json"), "format": number}, folder)
    with pytest.raises(UnknownFormat, match=r"run.json is of format .*use a later one"):
        records.damage(folder, settings(folder))


@pytest.mark.parametrize("size", [0, 200, 1000])
def test_a_record_that_was_cut_off_is_damaged(folder, size):
    job = settings(folder)
    content = (folder / "run.json").read_bytes()
    (folder / "run.json").write_bytes(content[:size])
    assert "run.json is damaged: " in records.damage(folder, job)


def test_a_number_that_was_changed_is_damage(folder):
    job = settings(folder)
    text = (folder / "run.json").read_text(encoding="utf-8")
    (folder / "run.json").write_text(text.replace('"attempts": 1', '"attempts": 2'))
    assert records.damage(folder, job).endswith("is damaged: it isn't as the run left it")


@pytest.mark.parametrize("text", ["[]", "null", '{"status": "ok"}', '"ok"', "\xff", "[" * 100_000])
def test_other_json_is_no_record(text):
    with pytest.raises(DamagedRecord, match="here is damaged"):
        records.load(text.encode("latin-1"), "here")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_a_number_that_json_does_not_have_is_damage(folder, number):
    job = settings(folder)
    text = (folder / "run.json").read_text(encoding="utf-8")
    written = text.replace('"attempts": 1', f'"attempts": {number}')
    assert written != text
    (folder / "run.json").write_text(written, encoding="utf-8")
    assert f"{number} is no number" in records.damage(folder, job)


@pytest.mark.parametrize("name", ["worker.log", "telemetry.csv"])
def test_a_file_beside_the_record_that_changed_is_damage(folder, name):
    (folder / name).write_bytes(b"")
    assert records.damage(folder, settings(folder)) == f"{folder / name} isn't as the run left it"
    (folder / name).unlink()
    assert records.damage(folder, settings(folder)) == f"{folder / name} isn't as the run left it"


def test_a_run_that_was_swapped_with_another_is_damaged(folder):
    job = {**settings(folder), "framework": "jax"}
    assert records.damage(folder, job).endswith("is of another run: framework pytorch")


def test_a_damaged_record_is_kept_under_another_name(folder):
    records.set_aside(folder)
    assert not (folder / "run.json").exists()
    assert (folder / "run.json.damaged").exists()


CHANGES = {
    "cut off": lambda content, at, other: content[:at],
    "a byte changed": lambda content, at, other: content[:at] + other + content[at + 1 :],
    "a byte more": lambda content, at, other: content[:at] + other + content[at:],
    "a part lost": lambda content, at, other: content[:at] + content[at + 40 :],
    "overwritten by zeros": lambda content, at, other: content[:at] + bytes(len(content) - at),
}


@given(
    name=sampled_from(["run.json", "worker.log", "telemetry.csv"]),
    change=sampled_from(sorted(CHANGES)),
    share=floats(0, 1),
    other=binary(min_size=1, max_size=1),
)
@settings_of_hypothesis(
    max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_change_of_a_file_is_damage(folder, name, change, share, other):
    job, path = settings(folder), folder / name
    content = path.read_bytes()
    written = CHANGES[change](content, int(share * (len(content) - 1)), other)
    try:
        path.write_bytes(written)
        damage = records.damage(folder, job)
    finally:
        path.write_bytes(content)
    # Outside of strings, JSON may have white space anywhere.
    is_equal = written == content or (name == "run.json" and _means(written) == _means(content))
    assert is_equal == (damage is None)
    assert damage is None or "\n" not in damage


def _means(content):
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content


def test_what_is_analysed_must_be_as_the_run_left_it(folder):
    records.check_beside(folder)
    with (folder / "worker.log").open("a") as log:
        log.write("one line more\n")
    with pytest.raises(
        records.DamagedRecord, match=r"worker\.log isn't as the run left it; the same"
    ):
        records.check_beside(folder)
