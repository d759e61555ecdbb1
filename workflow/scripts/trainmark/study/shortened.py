"""What the later files of a study make less of than its first file does."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.study.config import base, study_file

KEYS = ("epochs", "steps", "batch_size")
"""The keys of a case of which less is less work."""
LISTS = ("frameworks", "devices", "precisions", "stages")
"""The keys of a study of which fewer values are fewer configurations."""


def shortened(config: Mapping[str, Any], files: Sequence[Path]) -> str:
    """What a study and its cases have less of than in its first file, in a sentence, or nothing.

    `config` is the study, complete; `files` are those that it was read from.
    """
    if len(files) < 2:
        return ""
    first = base.with_cases({"base": config.get("base"), **study_file.read(files[0])}, files)
    before = first.get("cases")
    if not isinstance(before, Mapping):
        return ""
    changes = [
        *_fewer(first, config),
        *(text for key in KEYS if (text := _less(key, before, config["cases"]))),
    ]
    return f"Less than in {files[0]}: {'; '.join(changes)}." if changes else ""


def _fewer(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """How many repeats, and values of each list, are left."""
    counts = {"repeats": (after["repeats"], before.get("repeats", 0))}
    counts |= {name: (len(after[name]), len(before.get(name, ()))) for name in LISTS}
    yield from (f"{name} {new} of {old}" for name, (new, old) in counts.items() if new < old)


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
