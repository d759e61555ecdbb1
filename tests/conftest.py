"""The recorded study (tests/data/study), measured once for all tests that read it."""

from pathlib import Path

import pandas as pd
import pytest

from trainmark.analyse import measurements
from trainmark.analyse.collect import event_lines
from trainmark.analyse.run import Run

STUDY = Path(__file__).parent / "data" / "study"


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
