"""Messages about a study while it runs, from Snakemake's events and from earlier runs."""

import io
import json
import logging

import pytest

from trainmark.terminal import CLEAR_LINE, StatusLine
from trainmark.watch import handler
from trainmark.watch.durations import Durations, earlier
from trainmark.watch.progress import Progress, forecast, span

SETTINGS = {"framework": "pytorch", "network": "lenet", "stage": "train", "steps": 100}
OTHER = {**SETTINGS, "framework": "jax"}
OK = {"status": "ok", "disturbed": False}
RUN = "results/study/runs/case/pytorch/cpu/float32/train-dataset/r1/run.json"


def of(*seconds, settings=SETTINGS):
    durations = Durations()
    for value in seconds:
        durations.add("ok", settings, value)
    return durations


def test_a_run_takes_what_those_most_like_it_took():
    durations = of(10, 20, 90)
    durations.add("ok", OTHER, 1000)
    assert durations.of(SETTINGS) == 20
    assert durations.of({**SETTINGS, "framework": "mxnet"}) == (20 + 90) / 2
    assert durations.of({**SETTINGS, "stage": "infer"}) is None


def test_a_run_that_failed_at_once_says_nothing_of_others():
    durations = of(100)
    durations.add("unsupported", {**SETTINGS, "precision": "float16"}, 1)
    assert durations.of({**SETTINGS, "precision": "float16"}) == 1
    assert durations.of({**SETTINGS, "precision": "bfloat16"}) == 100


def test_earlier_runs_are_known_by_their_records(tmp_path):
    folder = tmp_path / "study" / "runs" / "case" / "r1"
    folder.mkdir(parents=True)
    record = {**OK, "job": SETTINGS, "wall_seconds": 10, "attempts": 3}
    (folder / "run.json").write_text(json.dumps(record))
    assert 30 < earlier(tmp_path).of(SETTINGS) < 40


def test_what_is_left_is_what_the_runs_left_will_take():
    progress = Progress({"a": SETTINGS, "b": SETTINGS, "c": OTHER}, of(60))
    assert progress.text() == "0 of 3 runs done, about 3 min left"
    progress.end("a", OK, 30)
    assert progress.text() == "1 of 3 runs done, about 2 min left"
    progress.end("b", {"status": "failed", "disturbed": True}, 1)
    assert progress.text().startswith("2 of 3 runs done, 1 failed, 1 disturbed, about ")
    progress.end("c", OK, 30)
    assert progress.text() == "3 of 3 runs done, 1 failed, 1 disturbed"


@pytest.mark.parametrize("status", ["unsupported", "unavailable", "not_needed"])
def test_a_run_that_never_began_did_not_fail(status):
    progress = Progress({"a": SETTINGS}, of(60))
    progress.end("a", {"status": status, "disturbed": False}, 1)
    assert progress.text() == "1 of 1 runs done"


def test_nothing_is_reported_of_runs_like_none_before():
    progress = Progress({"a": SETTINGS}, Durations())
    assert progress.text() == "0 of 1 runs done"
    message = forecast(progress, memory_gigabytes=2.5, disk_gigabytes=3)
    assert "1 run to be measured: of unknown duration" in message
    assert "2.5 GB of memory" in message
    assert "3.0 GB of disk" in message
    assert forecast(Progress({}, Durations()), 0, 0) == ""
    assert "GB" not in forecast(progress, memory_gigabytes=0, disk_gigabytes=0)  # as profiles ask


@pytest.mark.parametrize(
    ("seconds", "text"), [(5, "5 s"), (89, "89 s"), (600, "10 min"), (3 * 3600, "3.0 h")]
)
def test_a_time_is_reported_as_people_tell_it(seconds, text):
    assert span(seconds) == text


class Terminal(io.StringIO):
    """A stream that is one."""

    def isatty(self):
        return True


def events(watcher, tmp_path):
    """A run and another job, from their start to their end."""
    log = tmp_path / "run.log"
    log.write_text("trainmark: waiting\ntrainmark: ok: 5.0 images/s over 3.0 s\n")

    def tell(event, **facts):
        record = logging.makeLogRecord({"event": event, "levelno": logging.INFO, **facts})
        watcher.emit(record)

    tell("run_info")
    tell("job_info", jobid=1, rule_msg="Convert digits", output=["x"], log=[], rule_name="convert")
    tell("job_finished", job_id=1)
    tell("job_info", jobid=2, rule_msg="Measure it", output=[RUN], log=[str(log)], rule_name="t")
    tell("job_finished", job_id=2)
    tell("job_info", jobid=3, rule_msg="Draw", output=["y"], log=["its.log"], rule_name="figure")
    tell("job_error", jobid=3, rule_name="figure", rule_msg=None, log=["its.log"])
    tell("job_info", jobid=4, rule_msg="Measure more", output=["z"], log=[], rule_name="train")
    refused = "sbatch: error: no such partition\nsbatch: error: Batch job submission failed"
    tell("job_error", jobid=4, rule_name="train", rule_msg=refused, log=[])
    tell("progress", done=1, total=2)


def watched(stream, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / RUN
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**OK, "job": SETTINGS, "wall_seconds": 3, "attempts": 1}))
    jobs = [handler.ToDo(RUN, 2000, 0), handler.ToDo("x", 1000, 500)]
    watcher = handler.Watcher(StatusLine(stream), {RUN: SETTINGS}, lambda: jobs)
    events(watcher, tmp_path)
    watcher.close()
    return stream.getvalue()


def test_a_file_has_a_line_for_each_job(tmp_path, monkeypatch):
    first, *lines = watched(io.StringIO(), tmp_path, monkeypatch).splitlines()
    assert first.startswith("trainmark: 1 run to be measured: about 7 s")
    assert "0.5 GB of disk" in first
    assert lines == [
        "Convert digits",
        "case/pytorch/cpu/float32/train-dataset/r1: ok: 5.0 images/s over 3.0 s (1 of 1 runs done)",
        "Draw",
        "trainmark: failed: Draw; its log: its.log",
        "Measure more",
        "trainmark: failed: Measure more: sbatch: error: no such partition",
    ]


def test_at_a_terminal_a_line_stands_still_until_the_end(tmp_path, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    printed = watched(Terminal(), tmp_path, monkeypatch)
    standing = [part.split("\n")[0] for part in printed.split(CLEAR_LINE)]
    assert "0 of 1 runs done, about 7 s left | Measure it" in standing
    assert max(map(len, printed.rsplit(CLEAR_LINE))) < 200
    assert "1 of 1 runs done" not in standing  # where Snakemake's last lines would join it
    assert printed.endswith(CLEAR_LINE)


def test_what_cannot_be_told_ends_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    stream = io.StringIO()
    watcher = handler.Watcher(StatusLine(stream), {RUN: SETTINGS}, list)
    facts = {"rule_msg": "Measure it", "output": [RUN], "log": ["none.log"], "rule_name": "t"}
    for event in ({"event": "run_info"}, {"event": "job_info", "jobid": 1, **facts}):
        watcher.emit(logging.makeLogRecord(event))
    watcher.emit(logging.makeLogRecord({"event": "job_finished", "job_id": 1}))
    assert "FileNotFoundError" in capsys.readouterr().err
