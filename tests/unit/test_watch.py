"""Messages about a study while it runs, from Snakemake's events and from earlier runs."""

import io
import json
import logging
from pathlib import Path

import pytest
from timed_runs import JAX, SETTINGS, measured, of

from trainmark.terminal import CLEAR_LINE, StatusLine
from trainmark.watch import handler
from trainmark.watch.durations import JOB_OVERHEAD_SECONDS, Durations
from trainmark.watch.progress import Progress, forecast, span

RUN = "results/study/runs/case/pytorch/cpu/float32/train-dataset/r1/run.json"


def ended(status):
    return measured(status=status, window=None)


def test_runs_that_the_study_leaves_out_are_not_unknown():
    runs = paths(SETTINGS, JAX)
    progress = Progress(runs, Durations(), left_out=runs)
    assert progress.left() == (2 * JOB_OVERHEAD_SECONDS, 0)
    assert "2 runs to be measured: about 4 s" in forecast(progress, 0, 0)
    others = Progress(runs, Durations(), left_out=list(runs)[:1])
    assert "2 runs to be measured: of unknown duration" in forecast(others, 0, 0)


def paths(*settings):
    return {f"results/study/runs/{name}/r1/run.json": each for name, each in enumerate(settings)}


def test_what_is_left_is_what_the_runs_left_will_take():
    long = measured({**SETTINGS, "steps": 5500})
    runs = paths(long[0]["job"], long[0]["job"], {**JAX, "steps": 5500})
    progress = Progress(runs, of(long))
    assert progress.text() == "0 of 3 runs done, about 3 min left"
    first, second, third = runs
    assert progress.end(first, *long) == "1 of 3 runs done, about 2 min left"
    printed = progress.end(second, *measured(status="failed", disturbed=True, window=None))
    assert printed.startswith("2 of 3 runs done, 1 failed, 1 disturbed, about ")
    assert progress.end(third, *long) == "3 of 3 runs done, 1 failed, 1 disturbed"


def test_in_a_set_of_studies_each_has_a_progress_of_its_own():
    runs = paths(SETTINGS, {**SETTINGS, "study": "next"}, {**SETTINGS, "study": "next"})
    progress = Progress(runs, Durations())
    first, second, _ = runs
    assert progress.end(first, *ended("failed")).startswith("1 of 3 runs done, 1 of 1 in study")
    assert progress.end(second, *ended("failed")).startswith("2 of 3 runs done, 1 of 2 in next")


@pytest.mark.parametrize("status", ["unsupported", "unavailable", "not_needed"])
def test_a_run_that_never_began_did_not_fail(status):
    progress = Progress({RUN: SETTINGS}, of(measured()))
    assert progress.end(RUN, *ended(status)) == "1 of 1 runs done"


def test_nothing_is_reported_of_runs_like_none_before():
    progress = Progress({RUN: SETTINGS}, Durations())
    assert progress.text() == "0 of 1 runs done"
    message = forecast(progress, memory_gigabytes=2.5, disk_gigabytes=3)
    assert "1 run to be measured: of unknown duration" in message
    assert "2.5 GB of memory" in message
    assert "3.0 GB of disk" in message
    assert forecast(Progress({}, Durations()), 0, 0) == ""
    assert "GB" not in forecast(progress, memory_gigabytes=0, disk_gigabytes=0)  # as profiles ask


def test_runs_of_unknown_duration_are_counted_beside_the_others():
    large = {**SETTINGS, "network": "vgg16", "image_shape": [3, 224, 224]}
    progress = Progress(paths(SETTINGS, large, large), of(measured()))
    message = forecast(progress, memory_gigabytes=0, disk_gigabytes=0)
    assert "about 6 s" in message
    assert "without 2 runs unlike any of them, whose duration can't be told" in message
    assert progress.text().endswith("about 6 s left without 2 runs unlike any before")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(5, "5 s"), (89, "89 s"), (600, "10 min"), (3 * 3600, "3.0 h"), (72 * 3600, "3.0 days")],
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


def test_a_job_that_is_stopped_has_not_failed():
    stream = io.StringIO()
    watcher = handler.Watcher(StatusLine(stream), {}, list)
    said = "Terminating processes on user request, this might take some time."
    watcher.emit(logging.makeLogRecord({"msg": said}))
    error = {"event": "job_error", "jobid": 1, "rule_name": "train", "rule_msg": None}
    watcher.emit(logging.makeLogRecord({**error, "log": ["a.log"]}))
    assert stream.getvalue() == "trainmark: stopped: train\n"


def watched(stream, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / RUN
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(measured()[0]))
    jobs = [handler.ToDo(RUN, 2000, 0), handler.ToDo("x", 1000, 500)]
    watcher = handler.Watcher(StatusLine(stream), {RUN: SETTINGS}, lambda: jobs)
    events(watcher, tmp_path)
    watcher.close()
    return stream.getvalue()


def test_a_file_has_a_line_for_each_job(tmp_path, monkeypatch):
    first, *lines = watched(io.StringIO(), tmp_path, monkeypatch).splitlines()
    assert first.startswith("trainmark: 1 run to be measured: about 8 s,")
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
    assert "0 of 1 runs done, about 8 s left | Measure it" in standing
    assert max(map(len, printed.rsplit(CLEAR_LINE))) < 200
    assert "1 of 1 runs done" not in standing  # where Snakemake's last lines would join it
    assert printed.endswith(CLEAR_LINE)


def end_of_a_run(stream):
    """Let a watcher follow one run to its end."""
    watcher = handler.Watcher(StatusLine(stream), {RUN: SETTINGS}, list)
    facts = {"rule_msg": "Measure it", "output": [RUN], "log": ["none.log"], "rule_name": "t"}
    events = [{"event": "run_info"}, {"event": "job_info", "jobid": 1, **facts}]
    for event in [*events, {"event": "job_finished", "job_id": 1}]:
        watcher.emit(logging.makeLogRecord(event))


def test_what_cannot_be_told_ends_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path(RUN).parent.mkdir(parents=True)
    Path(RUN).write_text("{", encoding="utf-8")
    end_of_a_run(io.StringIO())
    assert "is damaged" in capsys.readouterr().err


def test_a_run_that_is_only_touched_has_no_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    stream = io.StringIO()
    end_of_a_run(stream)
    assert "case/pytorch" not in stream.getvalue()
    assert capsys.readouterr().err == ""
