"""As many recorded runs as requested: those of tests/data/study, under other names."""

import json
import shutil
from pathlib import Path
from typing import Any

from places import ROOT

from trainmark.files import sealed
from trainmark.runs import records
from trainmark.runs.formats import FORMAT

STUDY = ROOT / "tests" / "data" / "study"
RECORDED = sorted(path.parent for path in STUDY.rglob("run.json"))


def copy(recorded: Path, folder: Path, **settings: Any) -> None:
    """Copy a recorded run into a folder, in the present format; its job has these settings then."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("worker.log", "telemetry.csv"):
        shutil.copyfile(recorded / name, folder / name)
    record = records.read(recorded / records.RECORD)
    record |= {"format": FORMAT, "files": records.digests(folder)}
    record["job"] |= settings
    (folder / records.RECORD).write_text(json.dumps(sealed(record)), encoding="utf-8")
