"""Whether a study's file can be read at all, told by its line.

Snakemake's own words name neither. It reads the files of --configfile before any of ours is run,
so that only the default study can be looked at first.
"""

import json
from pathlib import Path

import yaml

from trainmark.study.validation import StudyError


def check(file: Path) -> None:
    """Raise StudyError unless a file is YAML or JSON with keys at its top."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise StudyError(f"{file}: {error.strerror}; name a study by --configfile") from None
    except UnicodeDecodeError as error:
        raise StudyError(f"{file}: byte {error.start} is no text (UTF-8)") from None
    if not _is_json(text) and not isinstance(_composed(text, file), yaml.MappingNode):
        raise StudyError(f"{file}: there are no keys in it; a study begins with `study: <name>`")


def _is_json(text: str) -> bool:
    """Whether it is a mapping in JSON, which may be indented with tabs."""
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _composed(text: str, file: Path) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise StudyError(f"{file}: line {line}: {error.reason}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        assert mark
        raise StudyError(
            f"{file}: line {mark.line + 1}, column {mark.column + 1}: {error.problem}; YAML wants "
            "spaces, the same number before keys of the same mapping"
        ) from None
