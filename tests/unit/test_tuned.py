"""The table of what experts' settings gain: which entry is named, and what is said of none."""

import pandas as pd
import pytest

from trainmark.report.figures import tuned as figure
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


def test_without_the_default_no_entry_has_a_bar(measured):
    assert figure.data(measured({"pytorch": None, "compiled": FAST}))["ratio"].isna().all()
    assert figure.data(measured({"compiled": FAST, "last": SLOW})).empty
