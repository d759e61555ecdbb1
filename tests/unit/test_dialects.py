"""A framework's own log becomes the events that the worker's loop would have told.

tests/data/logs/caffe*.log are workers' logs of real runs: of two steps of warm-up and six timed
ones; killed (of 4,000 steps); short of memory; with a loss that is not a number.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import LOGS

from trainmark.runs.dialects import caffe
from trainmark.runs.events import Event, last, scan, valid
from trainmark.runs.logs import window
from trainmark.runs.outcome import Ending, outcome

ANNOUNCED = {
    "event": "dialect",
    "time_seconds": 500.0,
    "name": "caffe",
    "wall_seconds": 1_798_761_599.0,  # 2026-12-31 23:59:59 UTC
    "warmup_steps": 1,
    "steps": 2,
    "batch_size": 64,
}
TRAINED = ["warmup", "window_start", "window_end"]
LOGGED = ["logged", *TRAINED]


def recorded(name: str) -> str:
    return (LOGS / f"{name}.log").read_text()


def events_of(log: str) -> list[Event]:
    scanned = scan(log)
    assert scanned.rejected == 0
    assert all(map(valid, scanned.events))
    return scanned.events


def made(log: str, announced: Event = ANNOUNCED) -> list[Event]:
    """What becomes of a log that a worker announced."""
    return window.events(list(caffe.progress(log.split("\n"))), announced)


def kinds(log: str) -> list[str]:
    return [event["event"] for event in events_of(log)]


def test_a_log_tells_what_the_workers_own_loop_tells() -> None:
    log = recorded("caffe")
    assert kinds(log)[-7:] == ["first_step", *LOGGED, "evaluation", "end"]
    end = last(events_of(log), "window_end")
    assert end and (end["steps"], end["images"]) == (6, 6 * 64)
    assert end["losses"] == [7.67831, 4.51931, 3.66522, 3.7585, 4.13832, 3.20525]


def test_the_window_has_the_stamps_of_the_iterations_at_its_edges() -> None:
    events = events_of(recorded("caffe"))
    warmup, start, end = (last(events, kind) for kind in TRAINED)
    assert warmup and start and end
    assert start["time_seconds"] == warmup["time_seconds"]
    # the last iteration of warm-up and that of the window
    stamps = re.findall(r"(\d\d\.\d{6}) .*Iteration [17] \(", recorded("caffe"))
    seconds = float(stamps[1]) - float(stamps[0])
    assert end["time_seconds"] - start["time_seconds"] == pytest.approx(seconds, abs=1e-5)
    assert end["step_end_seconds"][-1] == pytest.approx(seconds, abs=1e-5)
    assert end["step_end_seconds"] == sorted(end["step_end_seconds"])


def test_its_speed_is_the_mean_of_those_that_its_lines_state_of_the_window() -> None:
    speeds = re.findall(r"Iteration [2-7] \((\S+) iter/s", recorded("caffe"))
    logged = last(events_of(recorded("caffe")), "logged")
    assert logged and logged["statements"] == len(speeds) == 6
    assert logged["images_per_second"] == pytest.approx(64 * sum(map(float, speeds)) / 6)
    assert logged["highest"] == pytest.approx(64 * max(map(float, speeds)))


def test_its_times_lie_between_those_of_the_workers_own_events() -> None:
    times = [event["time_seconds"] for event in events_of(recorded("caffe"))]
    assert times == sorted(times)


def test_a_program_that_was_killed_in_the_window_leaves_its_start() -> None:
    log = recorded("caffe_killed")
    assert kinds(log)[-2:] == ["warmup", "window_start"]
    ended = outcome(Ending(exit_code=137, signal=None, events=events_of(log), log=log))
    assert ended.reason == "killed (SIGKILL) in the timed window"


def test_a_program_without_memory_leaves_nothing_of_the_window() -> None:
    log = recorded("caffe_out_of_memory")
    assert "host allocation of size" in log
    assert kinds(log)[-1] == "first_step"


def test_a_loss_that_is_not_a_number_is_null() -> None:
    log = recorded("caffe_nan")
    end = last(events_of(log), "window_end")
    assert end and end["losses"] == [None] * 6
    ended = outcome(Ending(exit_code=134, signal=None, events=events_of(log), log=log))
    assert ended.reason == "the loss is not finite from step 3 on"


@pytest.mark.parametrize(
    "form",
    [
        "I{day} 100 solver.cpp:239] Iteration {n} (14.9 iter/s, 0.07s/1 iters), loss = {loss}\n",
        "I{day} 100 solver.cpp:228] Iteration {n}, loss = {loss}\n",  # before 1.0
        "I2026{day} 100 solver.cpp:239] Iteration {n} (9 iter/s, 1s/1 iters), loss = {loss}\n",
    ],
)
def test_old_and_new_forms_of_a_line(form: str) -> None:
    lines = [
        form.format(day=f"1231 23:59:59.{n + 1}00000", n=n, loss=loss)
        for n, loss in enumerate(["2.5", "1e-05", "-nan"])
    ]
    warmup, start, end, _ = made("".join(lines))[-4:]
    assert warmup["seconds"] == 0  # unknown: no line says when training began
    assert start["time_seconds"] == pytest.approx(500.1)
    assert end["time_seconds"] == pytest.approx(500.3)
    assert end["losses"] == [1e-5, None]


def test_a_window_over_new_year() -> None:
    stamps = ("1231 23:59:59.500000", "1231 23:59:59.900000", "0101 00:00:01.000000")
    lines = [f"I{s} 7 solver.cpp:1] Iteration {n}, loss = 1\n" for n, s in enumerate(stamps)]
    end = last(made("".join(lines)), "window_end")
    assert end and end["time_seconds"] == pytest.approx(502.0)


def test_without_warm_up_the_window_begins_where_training_does() -> None:
    log = (
        "I1231 23:59:59.250000 7 solver.cpp:289] Solving LeNet\n"
        "I1231 23:59:59.500000 7 solver.cpp:239] Iteration 0, loss = 1\n"
    )
    announced = {**ANNOUNCED, "warmup_steps": 0, "steps": 1}
    warmup, start, end = made(log, announced)[-3:]
    assert (warmup["seconds"], start["time_seconds"], end["time_seconds"]) == (0, 500.25, 500.5)


def test_a_line_that_was_cut_off_does_not_count() -> None:
    log = recorded("caffe")
    cut = log[
        : log.index("Iteration 7 (") + len("Iteration 7 (16 iter/s, 0.06s/1 iters), loss = 3.")
    ]
    assert kinds(cut)[-1] == "window_start"


def test_an_unknown_dialect_is_rejected() -> None:
    log = recorded("caffe").replace('"name": "caffe"', '"name": "klingon"')
    assert scan(log).rejected == 1


@given(st.text(alphabet="I0123456789: .solver.cpp]Iteration,=(naif)\n-+e", max_size=300))
def test_no_text_makes_it_fail(noise: str) -> None:
    solving = "I1231 23:59:59.250000 7 solver.cpp:289] Iteration 0, loss = 1\n"
    assert all(map(valid, made(noise + solving + noise)))


def test_the_first_speed_of_a_program_is_of_no_iterations() -> None:
    head = "I0829 12:00:0{}.000000 42 solver.cpp:239] "
    log = [
        head.format(0) + "Solving LeNet",
        head.format(1) + "Iteration 0 (5.2e-16 iter/s, 0.01s/100 iters), loss = 2.3",
        head.format(2) + "Iteration 100 (10 iter/s, 10s/100 iters), loss = 0.5",
    ]
    assert [one.steps_per_second for one in caffe.progress(log)] == [None, None, 10]
