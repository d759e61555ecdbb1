"""What several tests share: the recorded study (tests/data/study), real data files."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from trainmark.analyse import measurements
from trainmark.analyse.collect import event_lines
from trainmark.analyse.run import Run

STUDY = Path(__file__).parent / "data" / "study"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data files: $TRAINMARK_TEST_DATA, or shared/data beside the repository."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("TRAINMARK_TEST_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"needs real data files: no folder {folder} (set TRAINMARK_TEST_DATA)")
    return folder


@pytest.fixture(scope="session")
def recorded_runs() -> list[Run]:
    """All runs of the recorded study."""
    logs = sorted(STUDY.rglob("worker.log"))
    told = measurements.events_by_folder(event_lines(logs))
    return [measurements.load(log.parent, told.get(str(log.parent), {})) for log in logs]


@pytest.fixture(scope="session")
def recorded(recorded_runs: list[Run], tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """Their measurements, written and read back."""
    path = tmp_path_factory.mktemp("recorded") / "measurements.csv"
    measurements.tabulate(recorded_runs).to_csv(path, index=False)
    return measurements.read(path)


@pytest.fixture(scope="session")
def framework_python() -> Callable[[str], Path]:
    """The interpreter of an environment: the built one, or $TRAINMARK_<ENVIRONMENT>_PYTHON."""

    def find(environment: str) -> Path:
        repository = Path(__file__).parents[1]
        lock = repository / "results" / "environments" / f"{environment}.json"
        installed = json.loads(lock.read_text()) if lock.is_file() else {"status": "not built"}
        if installed["status"] == "available":
            return repository / installed["interpreter"]
        variable = f"TRAINMARK_{environment.upper()}_PYTHON"
        if variable not in os.environ:
            pytest.skip(f"needs environment {environment} ({installed['status']}) or {variable}")
        return Path(os.environ[variable])

    return find
