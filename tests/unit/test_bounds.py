"""Studies that are cut short."""

import pytest
from small_study import case, make

from trainmark.study import settings_rows


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({}, {"steps": 10, "evaluate": True, "max_seconds": None}),
        ({"max_steps": 10}, {"steps": 10, "evaluate": True}),
        ({"max_steps": 3}, {"steps": 3, "warmup_steps": 0, "evaluate": False}),
        ({"max_steps": 10}, {"steps": 10, "window_seconds": 0.0}),
        (
            {"max_steps": 12, "cases": case(warmup_steps=20)},
            {"steps": 10, "warmup_steps": 12, "evaluate": False},
        ),
        ({"max_seconds": 0.5}, {"steps": 10, "warmup_limit_seconds": 0.5, "evaluate": False}),
    ],
)
def test_a_study_can_be_cut_short(bounds, expected):
    settings = next(iter(make(**bounds).runs.values())).settings
    assert settings.items() >= expected.items()


def test_a_run_that_is_cut_short_keeps_what_its_case_asks_for_beside_its_settings():
    run = next(iter(make(max_steps=3).runs.values()))
    assert run.requested == {"steps": 10, "evaluate": True}
    assert "requested" not in run.params


@pytest.mark.parametrize(
    ("evaluate", "bounds", "loses"),
    [
        (True, {"max_steps": 3}, True),
        (True, {"max_seconds": 0.5}, True),
        (True, {"max_steps": 10}, False),
        (False, {"max_steps": 3}, False),
    ],
)
def test_an_evaluation_is_lost_where_one_is_requested_and_the_run_is_cut_short(
    evaluate, bounds, loses
):
    runs = make(cases=case(evaluate=evaluate), **bounds).runs.values()
    assert {run.loses_evaluation for run in runs} == {loses}


@pytest.mark.parametrize(
    ("bounds", "ends"),
    [
        ({"max_steps": 3}, "after at most 3 steps"),
        ({"max_seconds": 0.5}, "with the step in which 0.5 s are over"),
        (
            {"max_steps": 1, "max_seconds": 10},
            "after at most 1 step or with the step in which 10 s are over",
        ),
        ({"max_steps": 10, "max_seconds": 5.0}, "with the step in which 5 s are over"),
    ],
)
def test_results_of_a_study_that_is_cut_short_say_so(bounds, ends):
    note = f"Cut short: each run's window ends {ends}; what is cut isn't evaluated."
    assert make(**bounds).note == note


def test_a_window_that_may_not_last_its_seconds_is_cut_short():
    study = make(cases=case(window_seconds=5.0, evaluate=False), max_steps=10)
    assert "each run's window ends after at most 10 steps" in study.note


@pytest.mark.parametrize("bounds", [{}, {"max_steps": 10}])
def test_a_study_that_trains_as_requested_has_nothing_to_say(bounds):
    study = make(**bounds)
    assert study.note == ""
    (row,) = settings_rows.rows(study.runs.values())
    assert "requested_steps" not in row


def test_the_settings_tell_the_steps_that_a_case_asks_for_and_those_that_are_done():
    (row,) = settings_rows.rows(make(max_steps=3).runs.values())
    assert (row["steps"], row["requested_steps"]) == (3, 10)


def test_results_of_data_sets_that_may_be_incomplete_say_so():
    part = "Trained on what was there of mnist, which may be a part."
    machine = {"subset": ["mnist", "imagenet"]}
    assert make(cases=case(dataset="mnist"), machine=machine).note == part
    cut = make(cases=case(dataset="mnist"), machine=machine, max_steps=3).note
    assert cut.splitlines()[1:] == [part]
    assert make(cases=case(dataset="digits"), machine=machine).note == ""
