"""What several tests share: the recorded study (tests/data/study), real data files."""

import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import examples
import pandas as pd
import pytest

from trainmark.analyse import measurements
from trainmark.analyse.collect import event_lines
from trainmark.analyse.run.recording import Run
from trainmark.study import builds, plugins

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
def imagenet_samples(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Real images of ImageNet: `imagenette-224/{train,val}` and `imagenet-sample-images`."""
    archive = shared_data / "imagenet-samples.tar"
    if not archive.exists():
        pytest.skip(f"needs images of ImageNet: no {archive}")
    folder = tmp_path_factory.mktemp("imagenet-samples")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="session")
def recorded_runs() -> list[Run]:
    """All runs of the recorded study."""
    logs = sorted(STUDY.rglob("worker.log"))
    told = measurements.events_by_folder(event_lines(logs))
    return [measurements.read_run(log.parent, told.get(str(log.parent), {})) for log in logs]


@pytest.fixture(scope="session")
def recorded(recorded_runs: list[Run], tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """Their measurements, written and read back."""
    path = tmp_path_factory.mktemp("recorded") / "measurements.csv"
    measurements.tabulate(recorded_runs).to_csv(path, index=False)
    return measurements.read(path)


@pytest.fixture(scope="session")
def recorded_steps(
    recorded_runs: list[Run], tmp_path_factory: pytest.TempPathFactory
) -> pd.DataFrame:
    """Their step times, written and read back."""
    path = tmp_path_factory.mktemp("recorded") / "steps.csv"
    measurements.tabulate_steps(recorded_runs).to_csv(path, index=False)
    return measurements.read(path)


class FrameworkEnvironment(NamedTuple):
    """An interpreter, and the environment variables that its workers need."""

    python: Path
    variables: dict[str, str]


@pytest.fixture(scope="session")
def framework_environment() -> Callable[[str], FrameworkEnvironment]:
    """The environment of an adapter: the built one, or $TRAINMARK_<ENVIRONMENT>_PYTHON.

    It is the one for the device that is tested.
    """

    def find(adapter: str) -> FrameworkEnvironment:
        name = plugins.facts("framework", adapter).get("ENVIRONMENT", adapter)
        repository = Path(__file__).parents[1]
        name = builds.for_device(examples.DEVICE, name, repository / "envs")
        lock = repository / "results" / "environments" / f"{name}.json"
        installed = json.loads(lock.read_text()) if lock.is_file() else {"status": "not built"}
        if installed["status"] == "available":
            interpreter = repository / installed["interpreter"]
            return FrameworkEnvironment(interpreter, installed["variables"])
        variable = f"TRAINMARK_{name.upper().replace('-', '_')}_PYTHON"
        if variable not in os.environ:
            pytest.skip(f"needs environment {name} ({installed['status']}) or {variable}")
        return FrameworkEnvironment(Path(os.environ[variable]), dict(os.environ))

    return find


@pytest.fixture(scope="session")
def framework_python(
    framework_environment: Callable[[str], FrameworkEnvironment],
) -> Callable[[str], Path]:
    """The interpreter of that environment alone."""
    return lambda adapter: framework_environment(adapter).python
