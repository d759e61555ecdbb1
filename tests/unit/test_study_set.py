"""From a set of studies to their plans: what is laid over them, and what is refused."""

from pathlib import Path

import pytest
import yaml
from small_study import ENVIRONMENTS, STUDY

from trainmark.study import study_set
from trainmark.study.config.errors import StudyError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with two studies, from which they are named by relative paths."""
    monkeypatch.chdir(tmp_path)
    write("first.yaml", **STUDY | {"study": "first"})
    write("second.yaml", **STUDY | {"study": "second"})
    return tmp_path


def write(name, **study):
    Path(name).write_text(yaml.safe_dump(study, sort_keys=False), encoding="utf-8")


def plans(**config):
    return study_set.make(config, [Path("set.yaml")], ENVIRONMENTS)


BOTH = {"first": ["first.yaml"], "second": ["second.yaml"]}


def test_the_studies_of_a_set_are_planned_in_its_order(folder):
    assert list(plans(studies=BOTH)) == ["first", "second"]
    assert list(plans(studies=dict(reversed(BOTH.items())))) == ["second", "first"]


def test_a_single_study_is_a_set_of_one():
    assert list(plans(**STUDY)) == ["example"]
    assert study_set.files(STUDY, [Path("a.yaml")]) == {"example": [Path("a.yaml")]}


def test_a_run_of_a_set_has_the_settings_that_it_has_alone(folder):
    alone = plans(**STUDY | {"study": "first"})["first"]
    assert plans(studies=BOTH)["first"].runs == alone.runs


def test_a_later_file_changes_those_before_it_and_the_set_changes_all(folder):
    write("twice.yaml", repeats=7, cases={"lenet-digits": {"steps": 3}})
    overlaid = plans(studies={**BOTH, "first": ["first.yaml", "twice.yaml"]}, max_steps=9)
    assert {name: plan.repeats for name, plan in overlaid.items()} == {"first": 7, "second": 2}
    steps = {
        name: {run.settings["steps"] for run in plan.runs.values()}
        for name, plan in overlaid.items()
    }
    assert steps == {"first": {3}, "second": {9}}


def test_a_study_without_files_is_taken_back(folder):
    assert list(plans(studies={**BOTH, "first": None})) == ["second"]


def test_a_set_has_at_least_one_study(folder):
    with pytest.raises(StudyError, match=r"^studies: null takes back each of first, second"):
        plans(studies=dict.fromkeys(BOTH))


def test_in_a_folder_of_results_each_study_has_its_own(folder):
    Path("earlier").mkdir()
    Path("earlier/first.zip").touch()
    made = plans(studies=BOTH, baseline="earlier", others=["earlier", "/srv/theirs"])
    assert made["first"].config["baseline"] == "earlier/first.zip"
    assert made["second"].config["baseline"] == "earlier/second"
    assert made["second"].config["others"] == ["earlier/second", "/srv/theirs/second"]


def test_a_machine_that_two_studies_describe_differently_is_refused(folder):
    for name, queued in (("first", 1), ("second", 2)):
        machines = {"node": {"resources": {"partition": "a"}, "queued": queued}}
        write(f"{name}.yaml", **STUDY | {"study": name, "machines": machines})
    with pytest.raises(StudyError, match=r"^machines\.node: first and second describe it"):
        plans(studies=BOTH)


def test_studies_with_other_mirrors_cannot_share_data(folder):
    machine = {"mirrors": {"mnist": ["there"]}}
    write("second.yaml", **STUDY | {"study": "second", "machine": machine})
    with pytest.raises(StudyError, match=r"^machine\.mirrors: first and second differ, but all"):
        plans(studies=BOTH)


BAD_SETS = {
    "another name": ({"mine": ["first.yaml"]}, "studies.mine: its files say `study: first`; use"),
    "a set in a set": ({"both": ["set.yaml"]}, "studies.both: is itself a set; name its studies"),
    "no files": ({"first": []}, "studies.first: [] is not a list of files"),
    "a missing file": (
        {"first": ["absent.yaml"]},
        "studies.first: absent.yaml: No such file or directory; give the path of a study file",
    ),
    "a number": ({1: None}, "studies: null takes back each of 1; leave one"),
    "a list": (["first.yaml"], "studies: not a mapping from the name"),
}


@pytest.mark.parametrize(("studies", "message"), BAD_SETS.values(), ids=BAD_SETS)
def test_a_bad_set_is_refused(folder, studies, message):
    write("set.yaml", studies=BOTH)
    with pytest.raises(StudyError) as refusal:
        plans(studies=studies)
    assert str(refusal.value).startswith(message)


def test_what_does_not_fit_a_study_is_refused_with_its_name(folder):
    with pytest.raises(StudyError, match=r"^studies\.first: precisions: no framework of the study"):
        plans(studies=BOTH, precisions=["tf32"])


def test_a_folder_of_results_is_a_text(folder):
    with pytest.raises(StudyError, match=r"^studies\.first: others\[0\]: 3 is not"):
        plans(studies=BOTH, others=[3])


@pytest.mark.parametrize("key", ["study", "base", "cases"])
def test_a_set_has_no_study_of_its_own(folder, key):
    with pytest.raises(StudyError, match=f"^{key}: belongs into the files of a study"):
        plans(studies=BOTH, **{key: "mine"})


def test_an_error_of_a_study_names_it(folder):
    write("second.yaml", **STUDY | {"study": "second", "repeats": 0})
    with pytest.raises(StudyError, match=r"^studies\.second: repeats: 0 is less than"):
        plans(studies=BOTH)
