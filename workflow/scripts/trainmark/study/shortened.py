"""What the later files of a study make less of than its first file does."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.study.config import base, study_file

KEYS = ("epochs", "steps", "batch_size")
"""The keys of a case of which less is less work."""


def shortened(config: Mapping[str, Any], files: Sequence[Path]) -> str:
    """What the cases of a study have less of than in its first file, in a sentence, or nothing.

    `config` is the study, complete; `files` are those that it was read from.
    """
    if len(files) < 2:
        return ""
    first = base.with_cases({"base": config.get("base"), **study_file.read(files[0])}, files)
    before = first.get("cases")
    if not isinstance(before, Mapping):
        return ""
    changes = [text for key in KEYS if (text := _less(key, before, config["cases"]))]
    return f"Less than in {files[0]}: {'; '.join(changes)}." if changes else ""


def _less(key: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The cases with a lower number of a key than before; those that are changed alike together."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name, case in after.items():
        whole = before.get(name)
        old = whole.get(key) if isinstance(whole, Mapping) else None
        new = case.get(key)
        if isinstance(old, int | float) and new is not None and new < old:
            alike[f"{new:,} of {old:,}"].append(name)
    changes = (f"{numbers} ({', '.join(names)})" for numbers, names in alike.items())
    return f"{key} {', '.join(changes)}" if alike else ""
