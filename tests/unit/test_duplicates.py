"""Names that a study file enters twice are reported: a YAML reader keeps the last of them."""

from pathlib import Path

import pytest
import yaml

from trainmark.study.config import study_file
from trainmark.study.config.errors import StudyError

STUDIES = sorted((Path(__file__).parents[2] / "config").rglob("*.yaml"))
TWO_CASES = """\
study: example
cases:
  lenet-mnist: {network: lenet, batch_size: 64}
  lenet-digits: {network: lenet, batch_size: 64}
  lenet-mnist: {network: lenet, batch_size: 128}
"""


def refusal(path: Path, text: str) -> str:
    """What is told of a file of this content, behind its name."""
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError) as error:
        study_file.check_duplicates(path)
    return str(error.value).removeprefix(f"{path}: ")


def test_two_cases_of_the_same_name(tmp_path: Path) -> None:
    assert len(yaml.safe_load(TWO_CASES)["cases"]) == 2
    assert refusal(tmp_path / "study.yaml", TWO_CASES) == (
        "cases: lenet-mnist entered twice, in line 3 and in line 5, and only the last would count; "
        "rename or remove one"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1\nseed: 2\n", "the study: seed entered twice, in line 1 and in line 2"),
        ("cases:\n a: {steps: 1, steps: 2}\n", "cases.a: steps entered twice, in line 2"),
        ("frameworks:\n- {framework: a, framework: b}\n", "frameworks[0]: framework entered twice"),
        ('{"cases": {"a": {},\n "a": {}}}', "cases: a entered twice, in line 1 and in line 2"),
    ],
)
def test_a_name_that_is_twice_in_any_mapping_is_reported_with_its_place(
    tmp_path: Path, text: str, message: str
) -> None:
    assert refusal(tmp_path / "study", text).startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        "cases: {a: {steps: 1}, b: {steps: 1}}\n",
        "cases: {a: &a {steps: 1}, b: {<<: *a, steps: 2}, c: *a}\n",
        '{\n\t"cases": {"a": {}}\n}\n',
        "",
    ],
)
def test_names_in_several_mappings_are_no_duplicates(tmp_path: Path, text: str) -> None:
    (tmp_path / "study").write_text(text, encoding="utf-8")
    study_file.check_duplicates(tmp_path / "study")


@pytest.mark.parametrize("study", STUDIES, ids=lambda path: path.stem)
def test_a_study_of_ours_has_no_name_twice(study: Path) -> None:
    study_file.check_duplicates(study)
