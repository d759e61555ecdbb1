"""Keeping a run that had finished when its Snakemake was killed, before Snakemake took note of it.

Snakemake marks a job's output as incomplete before the job starts, and takes the mark away after
its end. What it finds marked it removes and makes again, as it can't know whether it is whole. A
run's record is: it is put aside before that, and taken back where it is the one that is wanted.
"""

import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ASIDE = ".run.json.finished"


def put_aside(record: Path) -> None:
    """Take a run.json out of the way of Snakemake.

    It is moved, not copied: where a user has deleted run.json, there is none aside either.
    """
    record.replace(record.with_name(ASIDE))


def take_back(folder: Path, settings: Mapping[str, Any], code: str, inputs: Iterable[str]) -> bool:
    """Take a record back that was put aside, or remove it; gives whether the run is finished by it.

    It is where it was measured by these settings and this code from these very files. A run that
    the study leaves out has no files.
    """
    aside = folder / ASIDE
    if not aside.exists():
        return False
    record = json.loads(aside.read_text(encoding="utf-8"))
    changed = max(map(os.path.getmtime, inputs), default=math.inf)
    if not (_is_of(record, settings, code) and changed <= aside.stat().st_mtime):
        aside.unlink()
        return False
    os.utime(aside)  # Snakemake wants what a job makes to be younger than all that it reads
    aside.replace(folder / "run.json")
    return True


def _is_of(record: Mapping[str, Any], settings: Mapping[str, Any], code: str) -> bool:
    if not record["attempts"] or record["provenance"].get("code") != code:
        return False
    return all(record["job"].get(name) == value for name, value in settings.items())
