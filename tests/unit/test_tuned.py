"""What experts' settings gain, in table, figure and page: which is named, what is said of none."""

import re

import pandas as pd
import pytest

from trainmark.report.figures import tuned as figure
from trainmark.report.page import gains
from trainmark.report.tables import tuned
from trainmark.report.words.writers import table_of

SLOW, FAST, FASTEST = (100.0, 101.0, 102.0), (120.0, 121.0, 122.0), (200.0, 202.0, 204.0)


@pytest.fixture
def measured(recorded: pd.DataFrame):
    """Measurements of entries of PyTorch, each with three speeds; None: it failed."""
    case = recorded[(recorded["case"] == "lenet-digits") & (recorded["adapter"] == "pytorch")]
    run = case[(case["metric"] == "training_speed") & (case["status"] == "ok")].iloc[0]
    compiled = case[(case["metric"] == "compile_time") & (case["status"] == "ok")].iloc[0]

    def make(speeds: dict[str, tuple[float, ...] | None]) -> pd.DataFrame:
        rows = []
        for name, values in speeds.items():
            for repeat, value in enumerate(values or (None,), start=1):
                outcome = {"framework": name, "repeat": repeat, "status": "ok", "absent": None}
                if value is None:
                    outcome.update(status="failed", reason="parity", absent="failed: parity")
                seconds = None if value is None else len(name)
                rows += [{**run, **outcome, "value": value}]
                rows += [{**compiled, **outcome, "value": seconds}]
        return pd.DataFrame(rows)

    return make


@pytest.fixture
def table(measured):
    """The table of such entries."""
    return lambda speeds: tuned.make(measured(speeds))


def test_the_fastest_of_those_that_gain_is_named(table):
    (row,) = table({"pytorch": SLOW, "compiled": FAST, "last": FASTEST}).to_dict("records")
    assert (row["framework"], row["by"], row["tried"]) == ("pytorch", "last", 2)
    assert row["ratio"] == pytest.approx(2, rel=0.01)
    assert row["low"] > 1.9
    assert (row["default_compile_seconds"], row["best_compile_seconds"]) == (7, 4)


def test_where_none_gains_none_is_named(table):
    made = table({"pytorch": FAST, "compiled": SLOW, "last": None})
    assert made["by"].isna().all()
    (shown,) = tuned.show(made).to_dict("records")
    assert (shown["by"], shown["gain"], shown["compile s"]) == ("none of 1", "-", "7")


def test_the_remarks_on_both_are_shown(measured):
    remarks = {"pytorch": "drifts", "compiled": "not steady"}
    measurements = measured({"pytorch": SLOW, "compiled": FAST})
    measurements["reason"] = measurements["framework"].map(remarks)
    (shown,) = tuned.show(tuned.make(measurements)).to_dict("records")
    assert shown["status"] == "ok; drifts; compiled: not steady"


def test_where_the_default_failed_the_status_says_so(table):
    (shown,) = tuned.show(table({"pytorch": None, "compiled": FAST})).to_dict("records")
    assert (shown["by"], shown["status"]) == ("-", "failed: parity")


def test_a_framework_with_one_entry_is_left_out(measured):
    assert table_of(tuned, measured({"pytorch": SLOW})).notes == [tuned.NONE]


def test_another_release_is_no_entry_of_the_framework(measured):
    release = measured({"pytorch-2.0.1": FAST}).assign(environment="pytorch-2.0.1")
    both = pd.concat([measured({"pytorch": SLOW}), release], ignore_index=True)
    assert table_of(tuned, both).notes == [tuned.NONE]


def test_the_figure_has_every_entry_beside_the_default(measured):
    """The default alone has no bar: it is what the others are compared with."""
    speeds = {"pytorch": SLOW, "compiled": FAST, "last": SLOW, "frozen": None}
    data = figure.data(measured(speeds)).set_index("framework")
    assert list(data.index) == ["compiled", "last", "frozen"]
    verdicts = {"compiled": "faster", "last": "not distinguishable"}
    assert data["verdict"].dropna().to_dict() == verdicts
    assert data.loc["compiled", "ratio"] == pytest.approx(1.2, rel=0.01)
    assert data.loc["frozen", "remark"] == "failed: parity"


def test_without_the_default_no_entry_has_a_bar_and_the_reason_stands_in_its_place(measured):
    data = figure.data(measured({"pytorch": None, "compiled": FAST}))
    assert data["ratio"].isna().all()
    assert list(data["remark"]) == ["pytorch: failed: parity"]
    axes = figure.draw(data, "Tuned").axes[0]
    assert "pytorch: failed: parity" in [text.get_text() for text in axes.texts]
    assert figure.data(measured({"compiled": FAST, "last": SLOW})).empty


@pytest.fixture
def said(measured):
    """What the page says of such entries."""
    return lambda speeds: list(gains.lines(measured(speeds)))


def test_the_page_names_the_largest_gain_of_a_framework(said):
    (line,) = said({"pytorch": SLOW, "compiled": FAST, "last": FASTEST})
    assert (line.about, line.answer) == ("PyTorch, other settings", "last")
    gain = r"2\.00 \(1\.9\d to 2\.0\d\) times as fast as its default in lenet-digits, "
    gain += "the largest significant one of 2 ratios"
    assert re.fullmatch(gain, line.note)


def test_the_page_says_in_which_stage_and_of_how_many_ratios_it_is_the_largest(measured):
    speed = {"stage": {"train": "infer"}, "metric": {"training_speed": "inference_speed"}}
    training = measured({"pytorch": SLOW, "compiled": SLOW})
    predicting = measured({"pytorch": SLOW, "compiled": FAST}).replace(speed)
    (line,) = gains.lines(pd.concat([training, predicting], ignore_index=True))
    assert line.answer == "compiled"
    assert line.note.endswith(" in lenet-digits, infer, the largest significant one of 2 ratios")


NO_GAIN = ("PyTorch, other settings", "No gain", gains.NO_GAIN)
NOT_KNOWN = ("PyTorch, other settings", "Not known", gains.NO_INTERVAL)


@pytest.mark.parametrize(
    ("speeds", "lines"),
    [
        ({"pytorch": FAST, "compiled": SLOW, "last": None}, [NO_GAIN]),
        ({"pytorch": SLOW[:1], "compiled": FAST[:1]}, [NOT_KNOWN]),
        ({"pytorch": SLOW, "compiled": FAST[:1]}, [NOT_KNOWN]),
        ({"pytorch": None, "compiled": FAST}, []),
        ({"pytorch": SLOW, "compiled": None}, []),
        ({"pytorch": SLOW}, []),
    ],
)
def test_the_page_says_where_nothing_gains(said, speeds, lines):
    assert said(speeds) == lines
