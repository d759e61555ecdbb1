"""Cases that have the settings of another study's cases."""

import pytest

from trainmark.study.config import base
from trainmark.study.config.errors import StudyError

BASE = """
study: whole
cases:
  lenet: {network: lenet, dataset: mnist, batch_size: 64, schedule: {inverse: {gamma: 1, power: 1}}}
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "whole.yaml").write_text(BASE, encoding="utf-8")
    return [tmp_path / "short.yaml"]


def cases(files, **cases):
    return base.with_cases({"study": "short", "base": "whole.yaml", "cases": cases}, files)["cases"]


def test_a_case_has_the_settings_that_it_is_from_but_for_its_own(files):
    resolved = cases(
        files, slow={"from": "lenet", "batch_size": None, "schedule": {}}, other={"a": 1}
    )
    expected = {"network": "lenet", "dataset": "mnist", "batch_size": None, "schedule": {}}
    assert resolved == {"slow": expected, "other": {"a": 1}}


def test_a_base_is_beside_any_of_the_files_that_are_laid_over_each_other(files, tmp_path):
    assert cases([*files, tmp_path / "elsewhere" / "machine.yaml"], lenet={"from": "lenet"})


def test_a_study_without_such_cases_stays_as_it_is():
    for config in ({"study": "s"}, {"cases": None}, {"base": "no.yaml", "cases": {"lenet": None}}):
        assert base.with_cases(config, []) == config


def test_what_a_case_cannot_be_from_is_refused_in_one_line(files, tmp_path):
    with pytest.raises(StudyError, match="no case vgg16 in the base, which has lenet"):
        cases(files, vgg={"from": "vgg16"})
    with pytest.raises(StudyError, match="no case \\['lenet'\\] in the base"):
        cases(files, vgg={"from": ["lenet"]})
    with pytest.raises(StudyError, match="cases: from needs the study's base"):
        base.with_cases({"cases": {"lenet": {"from": "lenet"}}}, files)
    with pytest.raises(StudyError, match="base: there is no whole"):
        cases([tmp_path / "elsewhere" / "machine.yaml"], lenet={"from": "lenet"})
