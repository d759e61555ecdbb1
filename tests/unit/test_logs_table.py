"""Speeds by logs beside speeds by clocks, and frameworks' own loops beside ours."""

from typing import Any

import pandas as pd
import pytest
from examples import LENET_RUN

from trainmark.analyse.compare.own_loops import beside
from trainmark.analyse.csv.measurements import COLUMNS
from trainmark.report.draw import style
from trainmark.report.figures import logs as figure
from trainmark.report.tables import logs


def runs(adapter: str, clock: list[float], log: list[float | None]) -> list[dict[str, Any]]:
    """The measurements of a configuration's repeats."""
    shared = {name: LENET_RUN.get(name) for name in COLUMNS}
    shared |= {"case": "lenet", "framework": adapter, "adapter": adapter, "environment": adapter}
    shared |= {"status": "ok", "reason": None, "disturbed": False, "machine": "PC", "absent": None}
    rows = []
    for repeat, (timed, logged) in enumerate(zip(clock, log, strict=True), start=1):
        share = None if logged is None else 100 * logged / timed
        values = {"training_speed": timed, "logged_speed": logged, "logged_share": share}
        rows += [
            {**shared, "repeat": repeat, "metric": metric, "value": value}
            for metric, value in values.items()
        ]
    return rows


def measured(*configurations: list[dict[str, Any]]) -> pd.DataFrame:
    rows = [row for each in configurations for row in each]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"value": float})


OURS = runs("mxnet", [200.0, 202.0, 201.0], [None] * 3)
MODULE = runs("mxnet_module", [100.0, 102.0, 101.0], [110.0, 112.2, 111.1])
ALONE = runs("keras_fit", [50.0], [None])


def test_a_log_is_compared_with_the_clock_of_its_own_run_and_the_loop_with_ours() -> None:
    (row,) = beside(measured(OURS, MODULE)).itertuples()
    assert (row.framework, row.dialect) == ("mxnet_module", "mxnet_speedometer")
    assert row.share_mean == pytest.approx(110)
    assert row.share_half_width == pytest.approx(0, abs=1e-9)
    assert row.ratio == pytest.approx(101 / 201, rel=1e-3)
    assert row.low < row.ratio < row.high


def test_the_disturbed_runs_of_our_loop_count_too() -> None:
    ours = [{**row, "disturbed": True} for row in OURS]
    (row,) = beside(measured(ours, MODULE)).itertuples()
    assert row.disturbed == 3


def test_a_loop_without_ours_beside_it_or_without_a_speed_in_its_log_has_its_row() -> None:
    table = beside(measured(ALONE))
    (row,) = table.itertuples()
    assert pd.isna(row.share_mean) and pd.isna(row.ratio) and row.mean == 50
    shown = logs.show(table)
    assert list(shown["by the log"]) == list(shown["our loop"]) == ["-"]


def test_the_table_says_what_each_log_leaves_out_once() -> None:
    notes = logs.notes(logs.make(measured(OURS, MODULE, ALONE)))
    assert len([note for note in notes if note.startswith("MXNet (Module.fit): ")]) == 1
    assert len([note for note in notes if "its log's speed leaves out" in note]) == 2


def test_without_any_own_loop_there_is_no_row() -> None:
    assert beside(measured(OURS)).empty


def test_the_figure_has_a_point_for_each_log_and_a_reason_where_there_is_none() -> None:
    data = figure.data(measured(OURS, MODULE, ALONE))
    with style.applied():
        drawn = figure.draw(data, figure.TITLE)
    points = [line for axes in drawn.axes for line in axes.lines if line.get_gid() == "row"]
    assert [list(line.get_xdata()) for line in points] == [[pytest.approx(110)]]
