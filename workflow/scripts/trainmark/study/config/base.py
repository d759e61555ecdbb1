"""Cases whose settings are those of another study's, so that a setting is written once."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.study.config import study_file
from trainmark.study.config.errors import StudyError


def with_cases(config: Mapping[str, Any], files: Sequence[Path]) -> dict[str, Any]:
    """The study, its cases complete with the settings of those that they are `from`.

    These are cases of the study file `base`, which is beside one of the study's `files`. A key of a
    case replaces that of its base whole, and null takes it back. Raises StudyError.
    """
    cases = config.get("cases")
    if not isinstance(cases, Mapping) or not any(map(_is_from, cases.values())):
        return dict(config)
    if config.get("base") is None:
        raise StudyError("cases: from needs the study's base, the file of the cases that it names")
    bases = _cases(_path(str(config["base"]), files))
    return {**config, "cases": {name: _case(name, case, bases) for name, case in cases.items()}}


def _is_from(case: Any) -> bool:
    return isinstance(case, Mapping) and case.get("from") is not None


def _path(base: str, files: Sequence[Path]) -> Path:
    for file in reversed(files):
        if (path := file.parent / base).is_file():
            return path
    raise StudyError(f"base: there is no {base} beside {', '.join(map(str, files)) or 'any file'}")


def _cases(path: Path) -> Mapping[str, Any]:
    cases = study_file.read(path).get("cases")
    return cases if isinstance(cases, Mapping) else {}


def _case(name: str, case: Any, bases: Mapping[str, Any]) -> Any:
    if not _is_from(case):
        return case
    if not isinstance(case["from"], str) or not isinstance(bases.get(case["from"]), Mapping):
        names = ", ".join(bases)
        raise StudyError(
            f"cases.{name}.from: no case {case['from']} in the base, which has {names}"
        )
    changes = {key: value for key, value in case.items() if key != "from"}
    return {**bases[case["from"]], **changes}
