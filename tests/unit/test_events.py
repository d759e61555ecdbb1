"""Events are recognised in whatever a framework prints around them, and checked."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from trainmark.runs.events import SCHEMA, parse, scan, valid
from worker.events import in_one_line, reason

REASON = "out of memory while allocating 9 bytes"
START = {"event": "start", "time_seconds": 1.5, "python": "3.6.15", "pid": 7}
END = {"event": "end", "time_seconds": 2}
WINDOW_END = {
    "event": "window_end",
    "time_seconds": 9.0,
    "steps": 2,
    "images": 128,
    "wait_seconds": 0.1,
    "step_end_seconds": [0.5, 1.0],
    "losses": [2.3, None],
}
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text()))


def line(event: Any) -> str:
    return "@trainmark " + json.dumps(event)


def test_events_among_framework_noise() -> None:
    log = f"WARNING: no AVX\n{line(START)}\n[10:00:00] src/engine.cc\n{line(END)}\n"
    assert parse(log) == [START, END]


def test_an_event_on_a_line_that_others_began_or_go_on_with() -> None:
    log = f"loss: 0.3{line(START)} I0101 solver.cpp\n\rprogress 50%{line(END)}{line(END)}"
    assert parse(log) == [START, END, END]


@pytest.mark.parametrize(
    "bad",
    [
        '@trainmark {"event": "end", "time_sec',  # killed while printing
        '@trainmark {"event": "end", "time_seconds": NaN}',
        line({"event": "coffee", "time_seconds": 1}),
        line({**END, "extra": 1}),
        line({"event": "end"}),
        line({**START, "pid": "seven"}),
        line({**START, "pid": True}),
        line([1, 2]),
        "@trainmark says hello",
    ],
)
def test_lines_that_make_no_sense_are_counted_and_passed_over(bad: str) -> None:
    scanned = scan(f"{line(START)}\n{bad}\n{line(END)}\n")
    assert scanned.events == [START, END]
    assert scanned.rejected == 1


@pytest.mark.parametrize(
    "lines",
    [
        ["Traceback (most recent call last):", '  File "../src/storage.cc", line 77', REASON],
        [
            "Graph execution error:",
            "",
            "Detected at node conv defined at (most recent call last):",
            '  File "model.py", line 3, in forward',
            "    x = conv(x)",
            "<stack traces unavailable>",
            REASON,
            "\t[[conv]]",
        ],
        ["Exception from src/inference/core.cpp:107:", "Exception from src/core.cpp:9:", REASON],
        ["backend='inductor' raised:", REASON, "", "Set TORCHDYNAMO_VERBOSE=1"],
        [REASON, '  File "model.py", line 3'],
    ],
)
def test_a_reason_is_the_line_behind_those_of_a_stack_trace(lines: list[str]) -> None:
    assert reason(RuntimeError("\n".join(lines))) == REASON


def test_a_stack_trace_alone_is_its_own_reason() -> None:
    assert reason(RuntimeError("Traceback (most recent call last):\n")).startswith("Traceback")
    assert reason(RuntimeError()) == ""


def test_an_error_names_its_class_once() -> None:
    assert in_one_line(ValueError("3 vs. 2")) == "ValueError: 3 vs. 2"
    assert in_one_line(ValueError("ValueError: 3 vs. 2")) == "ValueError: 3 vs. 2"


@given(st.text(max_size=200))
def test_no_text_makes_it_fail(noise: str) -> None:
    assert parse(f"{noise}\n{line(END)}")[-1] == END


def mutations(event: dict[str, Any]) -> list[dict[str, Any]]:
    """The event with each field left out, and set to each kind of value."""
    without = [{k: v for k, v in event.items() if k != name} for name in event]
    values: list[Any] = [None, True, 3, 2.5, "text", [], [1.0], ["text"], {}]
    return without + [{**event, name: value} for name in event for value in values]


@pytest.mark.parametrize("event", [START, END, WINDOW_END])
def test_the_quick_check_agrees_with_a_full_validator(event: dict[str, Any]) -> None:
    assert VALIDATOR.is_valid(event)
    for mutated in [event, *mutations(event)]:
        assert valid(mutated) == VALIDATOR.is_valid(mutated), mutated


def test_recorded_logs_hold_only_valid_events() -> None:
    logs = sorted((Path(__file__).parents[1] / "data").rglob("worker.log"))
    assert logs
    for log in logs:
        assert scan(log.read_text(errors="replace")).rejected == 0, log
