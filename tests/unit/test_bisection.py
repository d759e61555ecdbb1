"""Which release is measured next to find what changed, and how the search ends."""

from pathlib import Path

import pandas as pd
import pytest
import yaml
from small_study import ENVIRONMENTS

from trainmark import bisect
from trainmark.analyse.compare import bisection
from trainmark.analyse.compare.by_release import by_release
from trainmark.errors import TrainmarkError
from trainmark.study import study_set

STUDIES = Path(__file__).parents[2] / "config" / "studies"
NUMBERS = ["1.4.0", "1.5.0", "1.9.0", "2.3.0", "2.9.1"]
SLOW, FAST = (100.0, 101.0, 102.0), (200.0, 202.0, 204.0)


@pytest.fixture
def rows(recorded: pd.DataFrame):
    """The table of releases with speeds of three runs each; None: the release failed."""

    def make(speeds: dict[str, tuple[float | None, ...] | None]) -> pd.DataFrame:
        of_case = (recorded["case"] == "lenet-digits") & (recorded["metric"] == "training_speed")
        run = recorded[of_case & (recorded["status"] == "ok")].iloc[0]
        measured = []
        for number, values in speeds.items():
            name = f"tensorflow-{number}"
            changes = {"framework": name, "environment": name, "absent": None, "reason": None}
            for repeat, value in enumerate(values or (None,), start=1):
                outcome = {"repeat": repeat, "value": value, "status": "ok"}
                if value is None:
                    outcome.update(status="failed", absent="failed: parity", reason="parity")
                measured.append({**run, **changes, **outcome})
        return by_release(pd.DataFrame(measured))

    return make


def test_the_release_in_the_middle_of_the_largest_step_is_next(rows):
    change = bisection.change(rows({"1.4.0": SLOW, "2.9.1": FAST}))
    assert change == ("1.4.0", "2.9.1")
    assert change.middle(NUMBERS, ["1.4.0", "2.9.1"]) == "1.9.0"
    change = bisection.change(rows({"1.4.0": SLOW, "1.9.0": SLOW, "2.9.1": FAST}))
    assert change == ("1.9.0", "2.9.1")
    assert change.middle(NUMBERS, ["1.4.0", "1.9.0", "2.9.1"]) == "2.3.0"


def test_between_neighbours_nothing_is_left(rows):
    change = bisection.change(rows({"1.4.0": SLOW, "1.5.0": FAST, "2.9.1": FAST}))
    assert change == ("1.4.0", "1.5.0")
    assert change.middle(NUMBERS, ["1.4.0", "1.5.0", "2.9.1"]) is None


def test_a_release_without_a_value_is_not_measured_again(rows):
    measured = rows({"1.4.0": SLOW, "1.9.0": None, "2.9.1": FAST})
    change = bisection.change(measured)
    assert change == ("1.4.0", "2.9.1")
    assert change.middle(NUMBERS, ["1.4.0", "1.9.0", "2.9.1"]) == "2.3.0"
    assert change.middle(["1.4.0", "1.9.0", "2.9.1"], ["1.4.0", "1.9.0", "2.9.1"]) is None
    assert bisect.sentence(measured, change).endswith("between them 1.9.0 without a value")


def test_several_configurations_of_a_release_are_refused(rows):
    measured = rows({"1.4.0": SLOW, "2.9.1": FAST})
    others = measured.assign(device="cuda:1")
    with pytest.raises(bisection.NoChange, match="several configurations"):
        bisection.of_one_point(pd.concat([measured, others]))
    assert len(bisection.of_one_point(pd.concat([measured, others.assign(n=0)]))) == 2


def test_a_detour_is_not_the_change_that_is_looked_for(rows):
    speeds = {"1.4.0": FAST, "1.5.0": (50.0, 51.0, 52.0), "1.9.0": FAST, "2.9.1": SLOW}
    assert bisection.change(rows(speeds)) in {("1.4.0", "1.5.0"), ("1.9.0", "2.9.1")}


def test_the_first_release_that_fails_is_looked_for_where_one_end_fails(rows):
    change = bisection.change(rows({"1.4.0": SLOW, "1.9.0": FAST, "2.9.1": None}))
    assert change == ("1.9.0", "2.9.1")
    measured = rows({"1.4.0": SLOW, "1.9.0": FAST, "2.3.0": None, "2.9.1": None})
    assert bisection.change(measured) == ("1.9.0", "2.3.0")
    sentence = bisect.sentence(measured, bisection.change(measured))
    assert sentence.startswith(
        "tensorflow 2.3.0 (2020-07-27) is the first after 1.9.0 of which runs have no value"
    )


def test_a_faster_release_is_named_with_ratio_and_interval(rows):
    measured = rows({"1.4.0": SLOW, "1.5.0": FAST})
    sentence = bisect.sentence(measured, bisection.change(measured))
    assert sentence.startswith("tensorflow 1.5.0 (2018-01-26) beside tensorflow 1.4.0: faster")


@pytest.mark.parametrize(
    ("first", "last", "message"),
    [
        ("1.4.0", "9.9", "tensorflow: unknown release '9.9'"),
        ("2.9.1", "1.4.0", "tensorflow 2.9.1 isn't older than 1.4.0"),
    ],
)
def test_impossible_ends_are_refused_in_one_line(first, last, message):
    with pytest.raises(TrainmarkError) as refused:
        bisect.between("tensorflow", first, last)
    assert str(refused.value).startswith(message)


def test_releases_that_do_not_differ_are_refused(rows):
    with pytest.raises(bisection.NoChange, match="can't be told apart"):
        bisection.change(rows({"1.4.0": SLOW, "2.9.1": SLOW}))
    some = (100.0, None)
    for first, last in ((None, None), (None, some), (some, None)):
        with pytest.raises(bisection.NoChange, match=r"both tensorflow 1.4.0 and 2.9.1 fail: "):
            bisection.change(rows({"1.4.0": first, "2.9.1": last}))


def test_a_release_of_which_some_runs_fail_is_one_that_fails(rows):
    measured = rows({"1.4.0": SLOW, "1.9.0": SLOW, "2.9.1": (100.0, 101.0, None)})
    assert bisection.change(measured) == ("1.9.0", "2.9.1")


def test_a_case_that_a_later_file_takes_back_is_none_of_the_study(tmp_path):
    study, short = tmp_path / "study.yaml", tmp_path / "short.yaml"
    study.write_text("cases: {lenet: {}, resnet20: {}}")
    short.write_text("cases: {resnet20: null}")
    assert bisect.cases_of([study, short]) == ["lenet"]
    short.write_text("studies: {}")
    with pytest.raises(TrainmarkError, match="no cases in"):
        bisect.cases_of([short])
    short.write_text("cases: [lenet]")
    with pytest.raises(TrainmarkError, match="is no mapping of cases"):
        bisect.cases_of([short])


def test_the_overrides_of_a_case_are_kept_and_those_of_others_are_not(tmp_path):
    study = tmp_path / "study.yaml"
    kept = {"where": {"case": "lenet"}, "set": {"steps": 3}}
    others = [
        {"where": {"case": "vgg16"}, "set": {"steps": 4}},
        {"where": {"framework": "theano"}, "set": {"steps": 5}},
        {"where": {"stage": "infer"}, "set": {"steps": 6}},
    ]
    study.write_text(yaml.safe_dump({"study": "mine", "overrides": [kept, *others]}))
    assert bisect._overrides_of([study], "lenet") == [kept]


def test_an_override_without_where_is_left_to_the_check_of_the_study(tmp_path):
    study = tmp_path / "study.yaml"
    study.write_text("overrides: [{set: {steps: 3}}]")
    assert bisect._overrides_of([study], "lenet") == [{"set": {"steps": 3}}]


@pytest.mark.parametrize(
    ("study", "case", "framework", "numbers"),
    [
        ("gtdlbench-mnist", "mnist-tensorflow", "tensorflow", ["2.18.0", "2.21.0"]),
        ("platforms", "lenet5-mnist", "pytorch", ["2.9.1", "2.13.0"]),
    ],
    ids=["frameworks", "trained_by"],
)
def test_releases_train_a_case_that_names_frameworks(tmp_path, study, case, framework, numbers):
    precision, laid_over = tmp_path / "precision.yaml", tmp_path / "bisect.yaml"
    precision.write_text("precisions: [float32]")  # of several, there is no one change
    files = [STUDIES / f"{study}.yaml", precision]
    content = bisect.overlay(framework, numbers, case, files)
    laid_over.write_text(yaml.safe_dump(content), encoding="utf-8")
    studies = {"studies": {content["study"]: list(map(str, [*files, laid_over]))}}
    [plan] = study_set.make(studies, [tmp_path / "set.yaml"], ENVIRONMENTS).values()
    trained = {(run.settings["framework"], run.settings["case"]) for run in plan.runs.values()}
    assert trained == {(f"{framework}-{number}", case) for number in numbers}
