"""Resume: a later call of Snakemake keeps finished runs, and tries some failed preparations again.

**Finished runs are kept.** Snakemake marks a job's output as incomplete before the job starts, and
removes the mark after its end. It removes marked output and makes it again, as it can't know
whether the output is complete. But a run's record always is complete. So the record is put aside
before Snakemake removes it, and restored if it is a record of the requested run. A run that had
finished when its Snakemake was killed isn't measured again.

A batch system continues the jobs of a killed Snakemake, beside the next Snakemake's jobs for the
same runs. The runs that they finish are kept, too: a record younger than the claim of the present
Snakemake is put aside before its job for that run starts. It is also put aside when that job has
failed: the job may have been cancelled while it waited for the job of the killed Snakemake.

**Unavailable environments and data sets are tried again** after a user has deleted their records.
Snakemake doesn't make a missing file again if the files made from it exist: deleting data to free
disk space triggers no new measurement. So these files have to be requested by name.
"""

import logging
import math
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.runs.inputs import records_before
from trainmark.runs.kept_arrays import TRAINED, outputs
from trainmark.runs.records import RECORD, DamagedRecord, read
from trainmark.study.planned_run import PlannedRun

ASIDE = ".{}.finished"
BEGAN = "TRAINMARK_BEGAN"


def put_aside(record: Path) -> None:
    """Move a run.json, and the weights kept beside it, to names that Snakemake doesn't remove.

    They aren't copied: after a user has deleted run.json, no copy of it may be left.
    """
    for path in (record.with_name(TRAINED), record):
        if path.exists():
            path.replace(_aside(path))


def pass_claim_to_jobs(claim: Path) -> None:
    """Pass on to jobs the time when their Snakemake began: when it wrote its claim, this file.

    The time is in an environment variable, which batch systems hand on. When a job starts, after a
    long queue or the loss of a node, another Snakemake may have written its own claim already.
    """
    os.environ[BEGAN] = repr(claim.stat().st_mtime)


class PutAside(logging.Handler):
    """Puts aside runs measured since their Snakemake began, before Snakemake removes them.

    The Snakemake of a single job on a node does so when the job starts, and every Snakemake when a
    job has failed, each according to its log.
    """

    def __init__(self, claim: Path, events: Collection[str]) -> None:
        """`claim`: the newest Snakemake's, for jobs without a time from `pass_claim_to_jobs`."""
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


class BeforeSubmission(logging.Handler):
    """Hands on the output of each job that Snakemake is about to submit, according to its log."""

    def __init__(self, act: Callable[[Sequence[str]], None]) -> None:
        """`act`: takes the paths of a job's output."""
        super().__init__(logging.INFO)
        self._act = act

    def emit(self, record: logging.LogRecord) -> None:
        """Handle an event of Snakemake."""
        if str(getattr(record, "event", "")) == "job_info":
            self._act(getattr(record, "output", ()))


def restore_finished(
    folder: Path,
    settings: Mapping[str, Any],
    code: str,
    inputs: Mapping[str, str],
    digests: Mapping[str, str],
) -> bool:
    """Restore the files that were put aside, or remove them; returns whether the run is finished.

    A record in the run's folder counts as well: another job wrote it while this one waited. The
    run is finished if it was measured with these settings, this code and inputs of these digests;
    where the record is of an earlier version without digests, with inputs older than it. A run that
    the study leaves out has no inputs.
    """
    put_aside(folder / RECORD)
    files = [folder / name for name in (*outputs(settings), RECORD)]
    aside = [_aside(path) for path in files if _aside(path).exists()]
    is_finished = len(aside) == len(files) and _is_requested(
        aside[-1], settings, code, inputs, digests
    )
    for path, output in zip(aside, files, strict=False):
        if is_finished:
            os.utime(path)  # so that it is kept if this job is killed now (PutAside)
            path.replace(output)
        else:
            path.unlink()
    _aside(folder / TRAINED).unlink(missing_ok=True)  # of a run that no longer keeps them
    return is_finished


def _aside(path: Path) -> Path:
    return path.with_name(ASIDE.format(path.name))


def _is_requested(
    aside: Path,
    settings: Mapping[str, Any],
    code: str,
    inputs: Mapping[str, str],
    digests: Mapping[str, str],
) -> bool:
    try:
        record = read(aside)
    except DamagedRecord:
        return False
    if not _has_settings(record, settings, code):
        return False
    if recorded := record["provenance"].get("inputs"):
        return bool(recorded == digests)
    latest = max(map(os.path.getmtime, inputs.values()), default=math.inf)
    return latest <= aside.stat().st_mtime


def _has_settings(record: Mapping[str, Any], settings: Mapping[str, Any], code: str) -> bool:
    if not record["attempts"] or record["provenance"].get("code") != code:
        return False
    return all(record["job"].get(name) == value for name, value in settings.items())


def retried(runs: Collection[PlannedRun], folder: Path) -> list[str]:
    """The missing records of environments and data sets on which `unavailable` runs depend.

    `folder` is the folder of the runs.
    """
    first_repeats = (run for run in runs if run.settings["repeat"] == 1)  # others have the same
    records = dict.fromkeys(record for run in first_repeats for record in records_before(run))
    missing = [record for record in records if not Path(record).exists()]
    if not (missing and folder.exists()):  # nothing has run yet
        return []
    lacked = {
        record for run in runs if _was_unavailable(folder, run) for record in records_before(run)
    }
    return [record for record in missing if record in lacked]


def _was_unavailable(folder: Path, run: PlannedRun) -> bool:
    try:
        record = read(folder / run.path / RECORD)
    except (FileNotFoundError, DamagedRecord):
        return False
    return bool(record["status"] == "unavailable")
