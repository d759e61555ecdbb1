"""Messages about a study while it runs, from Snakemake's events and from earlier runs."""

import io
import json
import logging
from pathlib import Path

import pytest
from little_record import record

from trainmark.study import axes
from trainmark.terminal import CLEAR_LINE, StatusLine
from trainmark.watch import handler
from trainmark.watch.durations import JOB_OVERHEAD_SECONDS, Durations, earlier
from trainmark.watch.progress import Progress, forecast, span

SETTINGS = {
    **axes.DEFAULTS,
    "study": "study",
    "framework": "pytorch",
    "network": "lenet",
    "image_shape": [1, 28, 28],
    "classes": 10,
    "batch_size": 64,
    "stage": "train",
    "steps": 100,
    "warmup_seconds": 0,
}
JAX = {**SETTINGS, "framework": "jax"}
STEP_SECONDS = 0.01
OVERHEAD_SECONDS = 5.0
RUN = "results/study/runs/case/pytorch/cpu/float32/train-dataset/r1/run.json"


def measured(settings=SETTINGS, step_seconds=STEP_SECONDS, **changes):
    """A run.json of as many steps as the settings have, and the seconds of the whole run."""
    window_seconds = settings["steps"] * step_seconds
    content = record(
        job=settings,
        window={"start_seconds": 1.0, "end_seconds": 1.0 + window_seconds},
        images=settings["steps"] * settings["batch_size"],
        wall_seconds=window_seconds + OVERHEAD_SECONDS,
    )
    content.update(changes)
    return content, content["wall_seconds"]


def ended(status):
    return measured(status=status, window=None)


def of(*runs):
    durations = Durations()
    for content, seconds in runs:
        durations.add(content, seconds)
    return durations


def test_a_run_takes_an_overhead_and_its_steps_at_the_rate_of_earlier_ones():
    durations = of(measured())
    assert durations.of(SETTINGS) == pytest.approx(5 + 100 * 0.01)
    assert durations.of({**SETTINGS, "steps": 1000}) == pytest.approx(5 + 1000 * 0.01)
    assert durations.of({**SETTINGS, "batch_size": 128}) == pytest.approx(5 + 100 * 0.02)
    assert durations.of({**SETTINGS, "warmup_steps": 50}) == pytest.approx(5 + 150 * 0.01)
    assert durations.of({**SETTINGS, "steps": 10**6, "max_seconds": 60}) == pytest.approx(65.01)
    assert durations.of({**SETTINGS, "window_seconds": 30}) == pytest.approx(35)
    limited = {**SETTINGS, "warmup_steps": 10**6, "max_seconds": 0.5}
    assert durations.of(limited) == pytest.approx(5 + 2 * (0.5 + 0.01))


def test_a_run_that_is_evaluated_while_it_learns_trains_twice():
    evaluated = {**SETTINGS, "warmup_steps": 50, "evaluate_every": 10}
    assert of(measured()).of(evaluated) == pytest.approx(5 + 2 * 150 * 0.01)


def test_calls_are_made_twice_once_one_by_one_and_once_together():
    predicting = {**SETTINGS, "stage": "infer"}
    durations = of(measured(predicting))
    assert durations.of({**predicting, "steps": 1000}) - durations.of(predicting) == pytest.approx(
        2 * 900 * 0.01
    )


def test_of_many_runs_of_equal_work_the_median_counts():
    others = [{**SETTINGS, "framework": f"framework-{number}"} for number in range(40)]
    durations = of(*(measured(each, step_seconds=0.001 * n) for n, each in enumerate(others, 1)))
    assert durations.of({**SETTINGS, "framework": "new"}) == pytest.approx(
        5 + 100 * 0.0205, rel=0.1
    )


def test_the_most_similar_runs_count():
    durations = of(measured(), measured(JAX, step_seconds=0.04))
    assert durations.of(SETTINGS) == pytest.approx(5 + 1)
    assert durations.of(JAX) == pytest.approx(5 + 4)
    assert 6 < durations.of({**SETTINGS, "framework": "mxnet"}) < 9


@pytest.mark.parametrize(
    "change", [{"network": "vgg16", "image_shape": [3, 224, 224]}, {"batch_size": 1}]
)
def test_steps_of_more_than_tenfold_the_arithmetic_are_unknown(change):
    assert of(measured()).of({**SETTINGS, **change}) is None


def test_a_run_that_failed_at_once_says_nothing_of_others():
    durations = of(measured(status="unsupported", window=None, wall_seconds=1))
    assert durations.of(SETTINGS) == 1
    assert durations.of(JAX) is None


def test_earlier_runs_are_known_by_their_records(tmp_path):
    folder = tmp_path / "study" / "runs" / "case" / "r1"
    folder.mkdir(parents=True)
    content, seconds = measured(attempts=3)
    (folder / "run.json").write_text(json.dumps(content))
    assert 3 * seconds < earlier(tmp_path).of(SETTINGS) < 3 * seconds + 5


def test_a_run_elsewhere_says_nothing_of_one_here():
    durations = of(measured())
    assert durations.of({**SETTINGS, "device": "cuda:1"}) is None
    assert durations.of({**SETTINGS, "machine_name": "node"}) is None


def test_a_network_that_is_there_no_more_is_passed_over(tmp_path):
    for name, settings in (("old", {**SETTINGS, "network": "gone"}), ("now", SETTINGS)):
        folder = tmp_path / name / "runs" / "r1"
        folder.mkdir(parents=True)
        (folder / "run.json").write_text(json.dumps(measured(settings)[0]))
    assert earlier(tmp_path).of(SETTINGS) == pytest.approx(6 + 2)


def measured_before(tmp_path, status):
    folder = tmp_path / "study" / "runs" / "r1"
    folder.mkdir(parents=True)
    content, _ = measured(status=status, window=None, wall_seconds=0, attempts=0)
    (folder / "run.json").write_text(json.dumps(content))
    return earlier(tmp_path).of(SETTINGS)


def test_what_is_unsupported_takes_no_time_but_what_was_unavailable_may_be_there(tmp_path):
    assert measured_before(tmp_path / "a", "unsupported") == JOB_OVERHEAD_SECONDS
    assert measured_before(tmp_path / "b", "unavailable") is None


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
