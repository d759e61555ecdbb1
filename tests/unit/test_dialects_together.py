"""What every dialect does with what isn't its log, and with a log that goes on and on."""

from itertools import cycle, islice

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import LOGS
from recorded_logs import NAMES, lines, read

from trainmark.runs.logs.statements import Progress
from trainmark.study import plugins

DIALECTS = plugins.names("dialect")
LONG = 65_536  # characters, which is what the host reads of a line at most
PIECES = [
    *("1", " ", "\t", "[", "1/1", "1e", "1.#", "nan", "\r", "\b", "\x1b[", "loss: 1", "1ms/st"),
    *("Epoch[1] ", "Epoch: [1][1/1]\tTime 1", "[Epoch 1][Batch 1][Samples 1] time/"),
    *("Finished Epoch[1]: [a", "Finished Epoch[1]: a = 1", "Minibatch[1- 1", "* 1 ", "time = 1"),
    *("Iteration 1 (", "The ", "training @ iter = 1", "Finished iteration 1/"),
    *("Batch [1-1] ", "1 images/sec: 1 +/- 1 (jitter = 1)", "steps_per_second=1", "train_loss=1."),
]


def dialect_of(log):
    return max((name for name in DIALECTS if log.startswith(name)), key=len, default=None)


@pytest.mark.parametrize("log", NAMES)
def test_a_log_says_nothing_in_another_dialect(log):
    for other in set(DIALECTS) - {dialect_of(log)}:
        assert read(other, lines(log)) == [], other


def test_each_recorded_log_is_explained():
    sources = pd.read_csv(LOGS / "sources.csv")
    assert sorted(sources["file"]) == sorted(f"{name}.log" for name in NAMES)
    assert sources.notna().all(axis=None)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_is_found_in_nothing_nor_in_bytes_that_are_no_text(dialect):
    binary = bytes(range(256)).decode("utf-8", "replace")
    assert read(dialect, []) == read(dialect, ["", "\n"]) == read(dialect, [binary] * 3) == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_log_is_read_line_by_line(dialect):
    logs = [log for log in NAMES if dialect_of(log) == dialect]
    endless = cycle(line for log in logs for line in lines(log))
    lines_of_progress = plugins.load("dialect", dialect).progress(endless)
    assert len(list(islice(lines_of_progress, 3))) == 3


@pytest.mark.timeout(20)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_long_line_takes_for_ever(dialect):
    for piece in PIECES:
        for begin in ("", "1/2 - loss: ", "Finished Epoch[1]: ", "steps_per_second=1 "):
            read(dialect, [(begin + piece * LONG)[:LONG]])


@pytest.mark.parametrize("log", NAMES)
@settings(max_examples=20)
@given(data=st.data())
def test_what_is_left_of_a_log_says_no_more_than_the_log(log, data):
    whole = "".join(lines(log))
    left = whole[: data.draw(st.integers(0, len(whole)))]
    whole_log = _comparable(read(dialect_of(log), lines(log)))
    cut_log = _comparable(read(dialect_of(log), left[: left.rfind("\n") + 1].split("\n")))
    assert cut_log == whole_log[: len(cut_log)]


@pytest.mark.parametrize("dialect", DIALECTS)
@given(pieces=st.lists(st.sampled_from([*PIECES, "\n", "0", ".", "-", ";", "]: ", "Epoch 1/2\r"])))
def test_no_text_makes_it_fail(dialect, pieces):
    statements = read(dialect, "".join(pieces).split("\n"))
    assert all(isinstance(one, Progress) for one in statements)


def _comparable(statements):
    """NaN is no equal of itself."""
    return [repr(one) for one in statements]
