"""The tables of keys in the documents, made from the schema of a study.

usage: python -m trainmark.study.config.key_tables FILE …

Each stands between `<!-- keys of … -->` and `<!-- end -->`, which stay.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from trainmark.study.config import schemas

TABLE = re.compile(r"(<!-- keys of (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
HEAD = ["| key | meaning | default |", "|---|---|---|"]
OF_COMPARISONS = ("baseline", "tolerance_percent", "others", "phones", "logs")


def with_new_tables(text: str) -> str:
    """The text with all its tables of keys made anew."""
    return TABLE.sub(lambda match: match[1] + table(match[2]) + match[3], text)


def table(what: str) -> str:
    """The keys of a study, a case, comparisons, a log, machine or one with a name, a row each."""
    return "".join(f"{line}\n" for line in (*HEAD, *_rows(what)))


def _rows(what: str) -> Iterator[str]:
    schema = schemas.load("config")
    is_whole_study = what in ("study", "comparisons")
    part = schema if is_whole_study else schema["$defs"][what]
    for key, rule in part["properties"].items():
        is_in_table = not is_whole_study or (key in OF_COMPARISONS) == (what == "comparisons")
        if is_in_table and "description" in rule:  # what is described elsewhere has no row
            yield f"| `{key}` | {rule['description']} | {_default(key, rule, part)} |"


def _default(key: str, rule: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    if key in part.get("required", ()):
        return "required"
    if "default" not in rule:
        return "-"
    default = rule["default"]
    parts = schemas.resolved(rule).get("properties")
    if default == {} and parts and all("default" in each for each in parts.values()):
        default = {name: each["default"] for name, each in parts.items()}
    return f"`{_yaml(default)}`"


def _yaml(value: Any) -> str:
    """A value as one writes it on a line of YAML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_yaml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_yaml, value)) + "]"
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else json.dumps(value)


if __name__ == "__main__":
    for document in map(Path, sys.argv[1:]):
        text = document.read_text(encoding="utf-8")
        document.write_text(with_new_tables(text), encoding="utf-8")
