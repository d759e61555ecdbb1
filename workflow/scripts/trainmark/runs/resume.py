"""What a later call of Snakemake keeps, and what it tries again.

**Finished runs are kept.** Snakemake marks a job's output as incomplete before the job starts, and
removes the mark after its end. Marked output it removes and makes again, as it can't know whether
it is whole. The record of a run is whole: it is put aside before that, and restored where it is the
requested one. So a run that had finished when its Snakemake was killed isn't measured again.

A batch system goes on with the jobs of a Snakemake that was killed, beside those of the next one
for the same runs. What they finish is kept, too: a record that is younger than the claim of the
Snakemake that requests it is put aside before that one's job starts. It is put aside as well when
the job has failed, as that may have been cancelled while it waited for the other Snakemake's job.

**Environments and data sets that runs lacked are tried again**, once the user has deleted them.
Snakemake makes no missing file again that lies between existing ones, so that whoever has made room
on the disk measures nothing again. These files have to be requested by name.
"""

import json
import logging
import math
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from trainmark.runs.kept_arrays import TRAINED, outputs
from trainmark.study import paths
from trainmark.study.planned_run import PlannedRun

RECORD = "run.json"
ASIDE = ".{}.finished"
BEGAN = "TRAINMARK_BEGAN"


def put_aside(record: Path) -> None:
    """Move a run.json, and the weights kept beside it, to where Snakemake doesn't remove them.

    They aren't copied: where a user has deleted run.json, there is none aside either.
    """
    for path in (record.with_name(TRAINED), record):
        if path.exists():
            path.replace(_aside(path))


def pass_claim_to_jobs(claim: Path) -> None:
    """Pass on to jobs when their Snakemake began: when it wrote this file, its claim.

    The time is in the environment, which batch systems hand on. A job may start when another
    Snakemake has written its claim: the queue was long, or the job's node was lost.
    """
    os.environ[BEGAN] = repr(claim.stat().st_mtime)


class PutAside(logging.Handler):
    """Puts aside runs measured since their Snakemake began, before Snakemake removes them.

    The Snakemake of a single job on a node does so when its log says that the job starts, and any
    Snakemake when its log says that a job has failed.
    """

    def __init__(self, claim: Path, events: Collection[str]) -> None:
        """`claim`: that of the newest Snakemake, for jobs that weren't passed another."""
        super().__init__(logging.INFO)
        self._claim, self._events = claim, events

    def emit(self, record: logging.LogRecord) -> None:
        """Handle an event of Snakemake."""
        if str(getattr(record, "event", "")) not in self._events:
            return
        for path in map(Path, getattr(record, "output", ())):
            if path.name == RECORD and self._is_younger(path):
                put_aside(path)

    def _is_younger(self, path: Path) -> bool:
        began = os.environ.get(BEGAN) or self._claim.stat().st_mtime
        return path.exists() and path.stat().st_mtime > float(began)


def restore_finished(
    folder: Path, settings: Mapping[str, Any], code: str, inputs: Iterable[str]
) -> bool:
    """Restore what was put aside, or remove it; returns whether the run is finished.

    A record in the run's folder counts as well: another job finished it while this one waited. The
    run is finished if it was measured by these settings and this code from these very files. A run
    that the study leaves out has no files.
    """
    put_aside(folder / RECORD)
    files = [folder / name for name in (*outputs(settings), RECORD)]
    aside = [_aside(path) for path in files if _aside(path).exists()]
    is_finished = len(aside) == len(files) and _is_requested(aside[-1], settings, code, inputs)
    for path, output in zip(aside, files, strict=False):
        if is_finished:
            os.utime(path)  # Snakemake wants what a job makes to be younger than all that it reads
            path.replace(output)
        else:
            path.unlink()
    _aside(folder / TRAINED).unlink(missing_ok=True)  # of a run that no longer keeps them
    return is_finished


def _aside(path: Path) -> Path:
    return path.with_name(ASIDE.format(path.name))


def _is_requested(
    aside: Path, settings: Mapping[str, Any], code: str, inputs: Iterable[str]
) -> bool:
    record = json.loads(aside.read_text(encoding="utf-8"))
    changed = max(map(os.path.getmtime, inputs), default=math.inf)
    return _has_settings(record, settings, code) and changed <= aside.stat().st_mtime


def _has_settings(record: Mapping[str, Any], settings: Mapping[str, Any], code: str) -> bool:
    if not record["attempts"] or record["provenance"].get("code") != code:
        return False
    return all(record["job"].get(name) == value for name, value in settings.items())


def retried(runs: Collection[PlannedRun], folder: Path) -> list[str]:
    """The missing records of environments and data sets without which runs were `unavailable`.

    `folder` is that of the runs.
    """
    records = dict.fromkeys(record for run in runs for record in _records(run))
    missing = [record for record in records if not Path(record).exists()]
    if not (missing and folder.exists()):  # nothing has run yet
        return []
    lacked = {record for run in runs if _was_unavailable(folder, run) for record in _records(run)}
    return [record for record in missing if record in lacked]


def _records(run: PlannedRun) -> Iterator[str]:
    if not run.takes_place:
        return
    yield paths.INSTALLED_LOCK.format_map(run.settings)
    if run.reads_data:
        yield paths.source_record(run.settings["dataset"])
        yield paths.DATASET_INDEX.format(format=run.format, **run.settings)


def _was_unavailable(folder: Path, run: PlannedRun) -> bool:
    try:
        record = json.loads((folder / run.path / "run.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    return bool(record["status"] == "unavailable")
