"""As many recorded runs as requested: those of tests/data/study, under other names."""

import json
import shutil
from pathlib import Path
from typing import Any

STUDY = Path(__file__).parents[1] / "tests" / "data" / "study"
RECORDED = sorted(path.parent for path in STUDY.rglob("run.json"))


def copy(recorded: Path, folder: Path, **settings: Any) -> None:
    """Copy the files of a recorded run into a folder; its job has these settings then."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("worker.log", "telemetry.csv"):
        shutil.copyfile(recorded / name, folder / name)
    record = json.loads((recorded / "run.json").read_text(encoding="utf-8"))
    record["job"] |= settings
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
