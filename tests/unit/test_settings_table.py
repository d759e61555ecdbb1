"""The table of settings, as readers see it."""

from trainmark.report.words import settings_table

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


def test_steps_are_reported_beside_those_requested_where_they_are_fewer() -> None:
    cut = {**CASE, "steps": 3, "requested_steps": 938}
    whole = {**CASE, "case": "lenet-again", "steps": 2, "requested_steps": 2}
    table = settings_table.table([cut, whole], "")
    assert list(table.shown["steps"]) == ["3 of 938", "2"]
    assert "requested steps" not in table.shown
    assert list(table.numbers["requested_steps"]) == [938, 2]


def test_epochs_are_explained_where_there_are_any() -> None:
    explained = "Window epochs: passes over the training images"
    rows = [{"window_epochs": 0.5}, {"window_epochs": None}]
    assert settings_table.note_of(rows).startswith(explained)
    assert explained not in settings_table.note_of([{"window_epochs": None}])
