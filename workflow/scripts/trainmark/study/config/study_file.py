"""Whether a study's file can be read at all, told by its name and its line.

Snakemake's own words tell neither. It reads the files of --configfile before its Snakefile, so
these are looked at when it reads our profile.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import yaml

from trainmark.errors import one_line_errors
from trainmark.study.config.errors import StudyError


def check_named(arguments: Sequence[str]) -> None:
    """Look at each file of --configfile in a command line of Snakemake; one that is bad ends it."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", type=Path, default=[])
    known, _ = parser.parse_known_args(arguments)
    with one_line_errors():
        for file in known.configfile:
            check(file)


def check(file: Path) -> None:
    """Raise StudyError unless a file is YAML or JSON with keys at its top."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise StudyError(f"{file}: {error.strerror}; --configfile names a study") from None
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
