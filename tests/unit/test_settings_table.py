"""The table of settings, as readers see it."""

from trainmark.report import settings_table

CASE = {"case": "lenet-mnist", "dataset": "mnist", "batch_size": 64, "learning_rate": 0.01}


def test_a_bound_that_no_case_has_is_not_shown() -> None:
    table = settings_table.table([{**CASE, "max_seconds": None}], "")
    assert list(table.shown.columns) == ["case", "dataset", "batch size", "learning rate"]
    assert "max_seconds" in table.numbers.columns


def test_what_one_case_lacks_is_shown_as_absent() -> None:
    table = settings_table.table(
        [{**CASE, "max_seconds": 10.0}, {**CASE, "case": "lenet-again", "max_seconds": None}], ""
    )
    assert list(table.shown["max seconds"]) == ["10.0", "-"]
    assert list(table.shown["learning rate"]) == ["0.01", "0.01"]
