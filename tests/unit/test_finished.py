"""Which record of a run that had finished unnoticed is kept."""

import json
import logging
import os
from pathlib import Path
from types import MappingProxyType

import pytest
from little_record import record

from trainmark.runs.inputs import digests
from trainmark.runs.resume import BEGAN, PutAside, pass_claim_to_jobs, put_aside, restore_finished

SETTINGS, CODE = {"steps": 10, "options": {"fast": True}}, "digest"
RECORD = record(job={**SETTINGS, "threads": 2}, provenance={"code": CODE})


@pytest.fixture
def read(tmp_path):
    """What the run read, older than all else here."""
    path = tmp_path / "dataset.json"
    path.touch()
    os.utime(path, (1e9, 1e9))
    return {"data": str(path)}


def restored(folder, content, settings=SETTINGS, code=CODE, inputs=MappingProxyType({})):
    (folder / "run.json").write_text(json.dumps(content))
    put_aside(folder / "run.json")
    kept = restore_finished(folder, settings, code, inputs, digests(inputs))
    assert not list(folder.glob(".*")), "there is nothing aside any more"
    return kept


def test_what_was_measured_as_it_is_wanted_is_the_runs_own_again(tmp_path, read):
    assert restored(tmp_path, RECORD, inputs=read)
    assert json.loads((tmp_path / "run.json").read_text()) == RECORD


def test_kept_weights_come_back_with_their_record_or_neither_does(tmp_path, read):
    settings = {**SETTINGS, "keep_weights": True}
    content = {**RECORD, "job": {**settings, "threads": 2}}
    (tmp_path / "weights.npz").write_bytes(b"arrays")
    assert restored(tmp_path, content, settings, inputs=read)
    assert (tmp_path / "weights.npz").read_bytes() == b"arrays"
    (tmp_path / "weights.npz").unlink()
    assert not restored(tmp_path, content, settings, inputs=read)


@pytest.mark.parametrize(
    "other",
    [
        {"settings": {**SETTINGS, "steps": 11}},
        {"settings": {**SETTINGS, "options": {}}},
        {"code": "another"},
        {"content": {**RECORD, "attempts": 0}},
        {"content": {**RECORD, "provenance": {}}},
        {"inputs": {}},
    ],
    ids=["steps", "options", "code", "not measured", "older trainmark", "left out"],
)
def test_what_was_measured_otherwise_is_removed(tmp_path, read, other):
    assert not restored(tmp_path, **{"content": RECORD, "inputs": read, **other})
    assert not (tmp_path / "run.json").exists()


def test_what_was_measured_with_files_that_have_changed_is_removed(tmp_path, read):
    os.utime(read["data"], (1e11, 1e11))
    assert not restored(tmp_path, RECORD, inputs=read)


def test_what_was_measured_with_files_of_the_same_content_is_kept_whenever_they_were_made(
    tmp_path, read
):
    provenance = {"code": CODE, "inputs": digests(read)}
    os.utime(read["data"], (1e11, 1e11))
    assert restored(tmp_path, {**RECORD, "provenance": provenance}, inputs=read)
    Path(read["data"]).write_text("another data set")
    assert not restored(tmp_path, {**RECORD, "provenance": provenance}, inputs=read)


def test_a_damaged_record_is_removed(tmp_path, read):
    (tmp_path / "run.json").write_text(json.dumps(RECORD)[:50])
    put_aside(tmp_path / "run.json")
    assert not restore_finished(tmp_path, SETTINGS, CODE, read, digests(read))
    assert not list(tmp_path.glob("*run.json*"))


def test_where_nothing_is_aside_there_is_nothing_to_keep(tmp_path, read):
    assert not restore_finished(tmp_path, SETTINGS, CODE, read, digests(read))


def test_what_another_job_finished_while_this_one_waited_is_kept(tmp_path, read):
    (tmp_path / "run.json").write_text(json.dumps(RECORD))
    assert restore_finished(tmp_path, SETTINGS, CODE, read, digests(read))
    assert json.loads((tmp_path / "run.json").read_text()) == RECORD


def test_a_job_goes_by_the_claim_of_its_own_snakemake_not_by_a_later_one(tmp_path, monkeypatch):
    monkeypatch.setenv(BEGAN, "")
    claim, run = tmp_path / "claim", tmp_path / "run.json"
    for path, written in ((claim, 1e9), (run, 2e9)):
        path.touch()
        os.utime(path, (written, written))
    pass_claim_to_jobs(claim)
    os.utime(claim, (3e9, 3e9))
    starts = {"event": "job_info", "output": [str(run)]}
    PutAside(claim, {"job_info"}).handle(logging.makeLogRecord(starts))
    assert not run.exists()


@pytest.mark.parametrize("event", ["job_info", "job_error"])
@pytest.mark.parametrize(("measured", "is_kept"), [(2e9, True), (1e9, False)])
def test_of_a_job_that_starts_or_fails_what_was_measured_since_its_snakemake_began_is_kept(
    tmp_path, read, event, measured, is_kept
):
    claim, run = tmp_path / "claim", tmp_path / "run.json"
    claim.touch()
    os.utime(claim, (1.5e9, 1.5e9))
    run.write_text(json.dumps(RECORD))
    os.utime(run, (measured, measured))
    happens = {"event": event, "output": [str(run)]}
    PutAside(claim, {event}).handle(logging.makeLogRecord(happens))
    run.unlink(missing_ok=True)  # as Snakemake does then
    assert restore_finished(tmp_path, SETTINGS, CODE, read, digests(read)) == is_kept
