"""Shared fixtures: image files and results, a server of files, the thesis, a machine with GPUs."""

import ctypes
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pynvml
import pytest
from played_nvml import BUSY, SYSTEM, Clock, built

from trainmark.analyse.published.result_sets import measurements
from trainmark.analyse.published.studies import published
from trainmark.machine import telemetry
from trainmark.machine.gpu import idle_power


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Keep the tests' output clean."""


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder and the address at which a server offers it."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def user_folder(tmp_path: Path) -> Path:
    """Where the user has the images."""
    return tmp_path / "mine"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results"


@pytest.fixture(scope="session")
def thesis() -> pd.DataFrame:
    """The values of the published thesis, as if they had been measured here, once each."""
    return measurements(published("thesis"))


@pytest.fixture(scope="session")
def nvml_library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The library that plays NVML."""
    return ctypes.CDLL(str(built(tmp_path_factory.mktemp("nvml"))))


@pytest.fixture
def nvml_clock(nvml_library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the library, which nvidia-ml-py calls instead of a real one."""
    clock = Clock(nvml_library)
    monkeypatch.setattr(pynvml, "nvmlLib", nvml_library)
    monkeypatch.setattr(pynvml, "_nvmlGetFunctionPointer_cache", {})
    monkeypatch.delenv("PLAYED_NVML", raising=False)
    played = SimpleNamespace(
        monotonic=clock.monotonic, sleep=clock.sleep, process_time=time.process_time
    )
    monkeypatch.setattr(telemetry, "time", played)
    monkeypatch.setattr(idle_power, "time", played)
    return clock


@pytest.fixture
def play_gpus(nvml_clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Play a machine with GPU 0, which is as in BUSY but for what is changed, and other lines."""

    def write(*lines: tuple[float, int, str, Any], **changes: Any) -> None:
        written = [(0.0, SYSTEM, "driver", "580.159.04")]
        written += [(0.0, 0, name, value) for name, value in {**BUSY, **changes}.items()]
        rows = [",".join(map(str, line)) for line in (*written, *lines)]
        (tmp_path / "nvml.csv").write_text("\n".join(rows) + "\n")
        monkeypatch.setenv("PLAYED_NVML", str(tmp_path / "nvml.csv"))
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    return write
