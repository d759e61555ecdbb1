"""Shared fixtures: the recorded study (tests/data/study), real data files."""

import json
import os
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import examples
import numpy as np
import pandas as pd
import pytest
from attacked_runs import attacking, kept_images, other
from recorded import STUDY

from trainmark.analyse.csv import measurements, read
from trainmark.analyse.run.events import event_lines, events_by_folder
from trainmark.analyse.run.recording import Run, read_run
from trainmark.report.draw.saving import save_figure
from trainmark.study import builds, plugins

DEFAULT_OF = {"lenet-digits": "mxnet", "resnet50-cifar10": "pytorch"}
LONGEST = (
    "frameworks/test_adapters.py",
    "frameworks/test_parity.py",
    "frameworks/test_nodes.py",
    "cluster/test_killed_snakemakes.py",
    "cluster/test_executor.py",
    "cluster/test_allocation.py",
    "workflow/test_study_sets.py",
    "frameworks/test_random_networks.py",
    "frameworks/test_runtimes.py",
    "frameworks/test_devices.py",
    "frameworks/test_precisions.py",
    "workflow/test_report.py",
    "frameworks/test_benchmarks.py",
    "workflow/test_rerunning.py",
    "workflow/test_machines.py",
    "frameworks/test_image_files.py",
    "frameworks/test_own_loops.py",
    "frameworks/test_torchvision.py",
    "workflow/test_compare.py",
    "cluster/test_ssh.py",
    "workflow/test_damage.py",
    "workflow/test_conda.py",
    "frameworks/test_language_models.py",
    "frameworks/test_hosts.py",
)
"""The files that take longest, some of them in waiting for a cluster: `make test` begins with them,
so that none of its processes is left with one at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first; the others stay in their order."""
    order = {Path(__file__).parent / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path, len(order)))


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
    events = events_by_folder(event_lines(logs))
    return [read_run(log.parent, events.get(str(log.parent), {})) for log in logs]


@pytest.fixture(scope="session")
def recorded(recorded_runs: list[Run], tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """The measurements of the recorded runs, written and read back."""
    path = tmp_path_factory.mktemp("recorded") / "measurements.csv"
    measurements.tabulate(recorded_runs).to_csv(path, index=False)
    return measurements.read(path)


@pytest.fixture(scope="session")
def drawings(recorded: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A figure of the recorded study, with its values beside it."""
    plugin = plugins.load("figure", "training_speed")
    data = plugin.data(recorded)
    path = tmp_path_factory.mktemp("figures") / "training_speed" / "training_speed.svg"
    path.parent.mkdir()
    files = [str(path), str(path.with_suffix(".csv"))]
    save_figure(lambda: plugin.draw(data, "Training speed"), data, files)
    return [path]


@pytest.fixture(scope="session")
def predicting_runs(recorded_runs: list[Run]) -> list[Run]:
    """The recorded runs that are ok as runs of stage infer, in two batch sizes, and gradients."""
    return [
        calling(run, *what)
        for run in recorded_runs
        if run.record["status"] == "ok"
        for what in (("infer", 1, 400), ("infer", 8, 40), ("gradients", 8, 40))
    ]


def calling(run: Run, stage: str, batch_size: int, calls: int) -> Run:
    """A run as if it had been of another stage: calls of 1 to 2 ms an image."""
    settings = {"stage": stage, "input_mode": "synthetic", "batch_size": batch_size}
    start, end = run.window
    seconds = [0.001 * batch_size * (1 + call / calls) for call in range(calls)]
    window = {"steps": calls, "images": calls * batch_size, "losses": [], "time_seconds": end}
    ends = [(end - start) * (call + 1) / calls for call in range(calls)]
    events = {
        **run.events,
        "latency": {"start_seconds": start, "call_seconds": seconds},
        "window_end": {**window, "step_end_seconds": ends, "wait_seconds": 0.0},
    }
    settings |= {"steps": calls, "evaluate": False, "evaluate_every": 0}
    record = {**run.record, "job": {**run.job, **settings}}
    return replace(run, record=record, events=events)


@pytest.fixture(scope="session")
def sources(
    recorded_runs: list[Run],
    predicting_runs: list[Run],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, pd.DataFrame]:
    """The tables that tables and figures are made from, of training and predicting runs."""
    folder = tmp_path_factory.mktemp("sources")
    smaller = [other(run, batch_size=32) for run in recorded_runs]
    alone = [other(run, thread_count=1) for run in recorded_runs]
    trained = [with_trained_weights(run) for run in predicting_runs if run.job["stage"] == "infer"]
    attacked = [each for run in recorded_runs for each in attacking(run)]
    runs = [*recorded_runs, *smaller, *alone, *predicting_runs, *attacked]
    elsewhere = [*trained, failed(trained[0])]
    attacking_run = replace(attacked[0], folder=kept_images(folder))
    runs_of = {
        "corruptions": elsewhere,
        "disagreements": quantised(trained, folder),
        "measurements": [with_its_default(run) for run in (*runs, *elsewhere)],
        "adversarial": [attacking_run, attacked[1]],
    }
    made = {
        name: plugins.load("csv", name).tabulate(runs_of.get(name, runs))
        for name in plugins.names("csv")
    }
    for name, table in made.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    return {name: read(folder / f"{name}.csv") for name in made}


def with_its_default(run: Run) -> Run:
    """A run whose case is a framework's default."""
    return replace(run, default_of=DEFAULT_OF.get(run.job["case"]))


def with_trained_weights(run: Run) -> Run:
    """A run of stage infer as if it had predicted with PyTorch's, also images in a corruption."""
    counts = {"count": 100, "same": 98, "gained": 0, "lost": 2, "logit_difference": 0.1}
    evaluation = {"count": 100, "top1": 92.0, "top5": 99.0, "seconds": 1.0}
    quantities = counts | {"top1": 80.0, "top5": 99.0}
    events = {
        "evaluation": evaluation,
        "agreement": counts,
        "corruptions": {
            "names": [None, "blur"],
            **{name: [n, n] for name, n in quantities.items()},
        },
        "model": {"files": {}, "bytes": 400_000, "export_seconds": 0.1, "load_seconds": 0.01},
    }
    with_events = replace(run, events={**run.events, **events})
    settings = {"input_mode": "dataset", "evaluate": True, "trained_by": "pytorch"}
    return other(with_events, corruptions=["blur"], **settings)


def failed(run: Run) -> Run:
    """A run as if a form of its network had failed."""
    ended = {"status": "failed", "reason": "parity: logits off by 3.1e-02"}
    record = {**run.record, **ended, "job": {**run.job, "precision": "float16"}}
    return Run(record)


def quantised(runs: list[Run], folder: Path) -> list[Run]:
    """One of them as if it had been a model of 8 bits, which takes the first test image wrongly."""
    run = next(run for run in runs if run.job["repeat"] == 1)
    labels, right = np.zeros(297, int), np.eye(10)[np.zeros(297, int)]
    wrong = np.concatenate([np.eye(10)[[5]], right[1:]])
    for name, logits in {"trainer": right, "int8": wrong}.items():
        (folder / name).mkdir()
        np.savez(folder / name / "predictions.npz", logits=logits, labels=labels)
    path = str(folder / "trainer" / "weights.npz")
    quantised_run = other(run, precision="int8-static", dataset="digits", trained=path)
    return [replace(quantised_run, folder=folder / "int8"), replace(run, folder=folder / "trainer")]


class FrameworkEnvironment(NamedTuple):
    """An interpreter, and the environment variables that its workers need."""

    python: Path
    variables: dict[str, str]


@pytest.fixture(scope="session")
def built_environment() -> Callable[[str], FrameworkEnvironment]:
    """An environment by its name: the built one, or $TRAINMARK_<ENVIRONMENT>_PYTHON."""

    def find(name: str) -> FrameworkEnvironment:
        repository = Path(__file__).parents[1]
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
def framework_environment(
    built_environment: Callable[[str], FrameworkEnvironment],
) -> Callable[[str], FrameworkEnvironment]:
    """The environment of an adapter, for the device that is tested."""

    def find(adapter: str) -> FrameworkEnvironment:
        name = plugins.facts("framework", adapter).get("ENVIRONMENT", adapter)
        repository = Path(__file__).parents[1]
        return built_environment(builds.for_device(examples.DEVICE, name, repository / "envs"))

    return find


@pytest.fixture(scope="session")
def framework_python(
    framework_environment: Callable[[str], FrameworkEnvironment],
) -> Callable[[str], Path]:
    """The interpreter of an adapter's environment."""
    return lambda adapter: framework_environment(adapter).python
