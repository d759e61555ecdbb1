"""Warm-up and window of a framework's own loop, which prints a log in between."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import examples
import pytest

from trainmark.runs import events
from worker.adapter import Adapter
from worker.events import Unsupported
from worker.input import modes
from worker.job import Job
from worker.own_loops import timing
from worker.own_loops.feed import Feed
from worker.own_loops.loop import OwnLoop, check_reads_itself

JOB = Job(**{**examples.LENET, "warmup_steps": 3, "steps": 5})


class Plain(Adapter):
    """What a framework's adapter is to its own loop."""

    def __init__(self, job: Job) -> None:
        self.job, self.synchronised = job, 0

    def synchronise(self) -> None:
        self.synchronised += 1

    def describe(self) -> dict[str, Any]:
        return {"framework": "plain", "flags": {"blas": "mine"}}


class Loop(OwnLoop, Plain):
    """Counts its batches, and logs as Theano's tutorials do."""

    dialect = "theano"
    loop_options = {"log_every": 10}  # noqa: RUF012
    first_batch = (0.0, 0.0)
    """When the last call requested its first batch, and when it had it."""

    def fit(self, feed: Feed) -> list[float]:
        requested = time.monotonic()  # what a loop sets up before isn't in the window
        batches = [next(feed)]
        self.first_batch = requested, time.monotonic()
        batches += feed
        print("The code for file loop.py ran for 0.10m", flush=True)
        return [float(batch) for batch in batches]


Loop.__abstractmethods__ = frozenset()  # type: ignore[attr-defined]  # of all that isn't called here


@pytest.fixture
def loop() -> Loop:
    return Loop(JOB)


@pytest.fixture
def run_events(
    loop: Loop, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> list[events.Event]:
    """The events of a run on batches 0, 1, 2, …."""
    batches: Iterator[int] = iter(range(100))
    monkeypatch.setattr(modes, "training_batches", lambda adapter, job: batches)
    timing.train(loop, JOB)
    return events.parse(capfd.readouterr().out)


def test_the_loop_is_called_for_warm_up_and_window_and_goes_on_where_it_was(
    run_events: list[events.Event],
) -> None:
    assert [event["event"] for event in run_events] == [
        "warmup",
        "logged",
        "window_start",
        "window_end",
    ]
    end = events.last(run_events, "window_end")
    assert end and end["losses"] == [3.0, 4.0, 5.0, 6.0, 7.0]
    assert (end["steps"], end["images"], end["step_end_seconds"]) == (5, 5 * 64, [])


def test_the_window_begins_where_the_loop_asks_for_its_first_batch(
    loop: Loop, run_events: list[events.Event]
) -> None:
    start, end = (events.last(run_events, kind) for kind in ("window_start", "window_end"))
    assert start and end
    requested, received = loop.first_batch
    assert requested <= start["time_seconds"] <= received <= end["time_seconds"]


def test_its_log_is_read_for_the_window_alone(run_events: list[events.Event]) -> None:
    logged = events.last(run_events, "logged")
    assert logged and logged["images_per_second"] == pytest.approx(5 * 64 / 6)


def test_a_step_is_one_of_the_loop() -> None:
    assert Loop(JOB).train_step(7) == 7.0


def test_its_options_are_checked_and_described() -> None:
    loop = Loop(JOB._replace(options={"log_every": 3}))
    assert loop.job.options == {}
    described = loop.describe()
    assert described["framework"] == "numpy"  # the job's adapter
    assert described["flags"] == {"blas": "mine", "log_every": 3}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"stage": "infer"}, "has no stage infer"),
        ({"max_seconds": 1.0}, "counts steps alone"),
        ({"window_seconds": 1.0}, "counts steps alone"),
        ({"schedule": {"steps": {"every": 1, "factor": 0.5}}}, "keeps its rate"),
        ({"device": "cpu:2"}, "trains on one device"),
        ({"precision": "bfloat16"}, "has no bfloat16"),
        ({"options": {"log_every": "often"}}, "option log_every is 'often'"),
    ],
)
def test_what_loops_cannot_do_is_refused(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        Loop(JOB._replace(**settings))


@pytest.mark.parametrize(
    "settings",
    [
        {"input_mode": "cached"},
        {"shuffle": True},
        {"augment": ["mirror"]},
        {"pixels": {"mean": "image"}},
        {"image_shape": [3, 24, 24]},
    ],
)
def test_a_loop_that_reads_itself_has_the_batches_of_its_reader(
    settings: dict[str, Any], tmp_path: Path
) -> None:
    index = {"image_shape": [3, 32, 32], "encoding": "raw", "splits": {}}
    (tmp_path / "dataset.json").write_text(json.dumps(index), encoding="utf-8")
    job = JOB._replace(data=str(tmp_path / "dataset.json"), image_shape=[3, 32, 32])
    check_reads_itself(job)
    with pytest.raises(Unsupported, match="reads its data set itself"):
        check_reads_itself(job._replace(**settings))


def test_a_feed_ends_after_its_steps_and_tells_once_that_it_begins() -> None:
    begun: list[str] = []
    source = iter("abcdef")
    feed = Feed(source, 2, lambda: begun.append("now"))
    assert begun == []
    feed.start()
    assert list(feed) == ["a", "b"]
    assert begun == ["now"]
    assert next(source) == "c"  # nothing was read ahead
