"""The parity matrix: the worst run of each cell, marked only where a run failed by it."""

import pandas as pd
import pytest

from trainmark.analyse.compare import parity_matrix
from trainmark.analyse.run.metrics.parity import NOT_FINITE
from trainmark.report.tables import parity as table
from trainmark.report.words import cells
from trainmark.study.axes import CONFIGURATION


def measured(framework: str, repeat: int, value: float | None, status: str = "ok") -> dict:
    names = dict.fromkeys(CONFIGURATION, "x") | {"framework": framework, "adapter": framework}
    facts = {"repeat": repeat, "status": status, "reason": None, "disturbed": False}
    measurement = {"machine": "m", "metric": "parity_error", "unit": "relative", "value": value}
    return {**names, "batch_size": 8, **facts, **measurement, "absent": None if value else status}


@pytest.fixture
def matrix() -> pd.DataFrame:
    rows = [
        measured("jax", 1, 1e-6),
        measured("jax", 2, 3e-6),
        measured("mxnet", 1, 2e-6),
        measured("mxnet", 2, 0.5, status="failed"),
        measured("pytorch", 1, None, status="timed_out"),
    ]
    return parity_matrix.matrix(pd.DataFrame(rows))


def test_a_cell_holds_the_worst_run_and_says_where_one_failed_by_it(matrix: pd.DataFrame) -> None:
    texts = {row.framework: cells.parity(row) for row in matrix.itertuples()}
    assert texts == {"jax": "3.0e-06", "mxnet": "5.0e-01 !", "pytorch": "timed_out"}


def test_an_error_that_is_not_finite_is_the_worst() -> None:
    failed = measured("jax", 2, None, status="failed") | {"absent": NOT_FINITE}
    (row,) = parity_matrix.matrix(pd.DataFrame([measured("jax", 1, 1e-6), failed])).itertuples()
    assert cells.parity(row) == "inf !"


def test_the_table_has_a_column_for_each_framework(matrix: pd.DataFrame) -> None:
    shown = table.show(matrix)
    assert list(shown.columns) == ["network", "case", "JAX", "MXNet", "PyTorch"]
    assert shown["MXNet"].tolist() == ["5.0e-01 !"]
