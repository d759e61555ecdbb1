"""What is to be tried again: the environments and data sets that runs lacked, once deleted.

Snakemake makes no missing file again that lies between others that are there, so that whoever has
made room on the disk measures nothing again. These have to be asked for by name.
"""

import json
from collections.abc import Collection, Iterator
from pathlib import Path

from trainmark.study import paths
from trainmark.study.planned_run import PlannedRun


def retried(runs: Collection[PlannedRun], folder: Path) -> list[str]:
    """The records that aren't there and of which a run was `unavailable`; `folder`: of the runs."""
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
