"""What a study has less of than its first file says, in words."""

from pathlib import Path

import pytest
import yaml
from small_study import ENVIRONMENTS, STUDY, case

from trainmark.study import study_set
from trainmark.study.shortened import shortened

LENET = STUDY["cases"]["lenet-digits"]
"""Ten steps of 64 images."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name, content):
    Path(name).write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")


def note(whole, *changes):
    """The sentence on a study, of a first file and of others laid over it."""
    contents = {"whole.yaml": whole, **{f"{n}.yaml": each for n, each in enumerate(changes)}}
    for name, content in contents.items():
        write(name, content)
    config = {"studies": {"example": list(contents)}}
    [plan] = study_set.make(config, [Path("set.yaml")], ENVIRONMENTS).values()
    return shortened(plan.config, list(map(Path, contents)))


def test_fewer_steps_and_smaller_batches_are_told():
    short = {"cases": {"lenet-digits": {"steps": 4, "batch_size": 8}}}
    assert note(STUDY, short) == (
        "Less than in whole.yaml: steps 4 of 10 (lenet-digits); batch_size 8 of 64 (lenet-digits)."
    )


def test_fewer_repeats_and_configurations_are_told():
    short = {"repeats": 1, "frameworks": ["numpy"]}
    assert note(STUDY, short) == "Less than in whole.yaml: repeats 1 of 2; frameworks 1 of 2."


def test_cases_that_are_changed_alike_are_told_together():
    names = ("one", "two", "three")
    whole = {**STUDY, "cases": {name: {**LENET, "steps": 20_000} for name in names}}
    short = {"cases": {"one": {"steps": 990}, "two": {"steps": 990}, "three": {"steps": 40}}}
    assert note(whole, short) == (
        "Less than in whole.yaml: steps 990 of 20,000 (one, two), 40 of 20,000 (three)."
    )


def test_cases_of_another_study_have_its_epochs():
    epochs = {key: value for key, value in LENET.items() if key != "steps"} | {"epochs": 30}
    write("other.yaml", {**STUDY, "cases": {"lenet-digits": epochs}})
    whole = {**STUDY, "base": "other.yaml", "cases": {"lenet": {"from": "lenet-digits"}}}
    short = {"cases": {"lenet": {"epochs": 0.2}}}
    assert note(whole, short) == "Less than in whole.yaml: epochs 0.2 of 30 (lenet)."


@pytest.mark.parametrize(
    "changes",
    [
        {"cases": case(steps=20)},
        {"cases": case(learning_rate=0.001)},
        {"cases": {"lenet-digits": None, "new": {**LENET, "steps": 1}}},
    ],
)
def test_of_more_or_other_work_nothing_is_told(changes):
    assert note(STUDY, changes) == ""


def test_a_study_of_one_file_is_whole():
    assert note(STUDY) == ""
