"""A study file that cannot be read is reported with its line."""

from pathlib import Path

import pytest

from trainmark import profile_checks
from trainmark.study.config import study_file
from trainmark.study.config.errors import StudyError

NO_KEYS = ": there are no keys in it; a study begins with `study: <name>`"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"study: a\n  cases: {\n",
            ": line 2, column 8: mapping values are not allowed here; YAML",
        ),
        (b"study: a\n\tcases: b\n", ": line 2, column 1: found character '\\t' that cannot start"),
        (b"study: a\ncases: \x01\n", ": line 2: special characters are not allowed"),
        (b"study: \xff\n", ": byte 7 is no text (UTF-8)"),
        (b"", NO_KEYS),
        (b"# a comment\n", NO_KEYS),
        (b"- study\n", NO_KEYS),
        (b"study\n", NO_KEYS),
        (b'["study"]', NO_KEYS),
        (b"study: a\ncases: &c {b: *c}\n", ": cases.b: an alias of what it is in, which begins"),
        (b"study: a\ncases: &c [*c]\n", ": cases[0]: an alias of what it is in, which begins"),
    ],
)
def test_a_file_that_is_no_study_is_reported_in_one_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    file = tmp_path / "config.yaml"
    file.write_bytes(content)
    with pytest.raises(StudyError) as refusal:
        study_file.check(file)
    assert str(refusal.value).startswith(f"{file}{message}")
    assert "\n" not in str(refusal.value)


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(
        StudyError, match="No such file or directory; give the path of a study file"
    ):
        study_file.check(tmp_path / "config.yaml")


@pytest.mark.parametrize(
    "arguments",
    [
        "--configfile good.yaml bad.yaml -n",
        "-n --configfiles=bad.yaml --config max_steps=3",
        "--config max_steps=3 --configfile bad.yaml -- all",
    ],
)
def test_the_files_of_a_command_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.yaml").write_text("study: a\n")
    Path("bad.yaml").touch()
    with pytest.raises(SystemExit) as end:
        profile_checks.check(arguments.split())
    assert end.value.code == f"trainmark: bad.yaml{NO_KEYS}"


@pytest.mark.parametrize(
    "arguments", ["", "--config configfile=bad.yaml", "--configfile good.yaml"]
)
def test_a_command_without_a_bad_file_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.yaml").write_text("study: a\n")
    profile_checks.check(arguments.split())


@pytest.mark.parametrize("content", ["study: a\n", '{\n\t"study": "a"\n}'])
def test_yaml_and_json_are_read(tmp_path: Path, content: str) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(content)
    study_file.check(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("network: {{net}}\n", "line 1: a mapping or a list is no name of a key"),
        ("seed: !mine 1\n", "could not determine a constructor for the tag '!mine'"),
        ("study: 2024-02-30\n", "day is out of range for month"),
    ],
)
def test_what_yaml_can_say_and_a_study_cannot_is_one_line(
    tmp_path: Path, content: str, message: str
) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(content)
    with pytest.raises(StudyError, match=message) as refusal:
        study_file.read(file)
    assert str(refusal.value).startswith(f"{file}: ")
    assert "\n" not in str(refusal.value)
