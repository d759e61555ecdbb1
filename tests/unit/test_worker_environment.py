"""The environment variables of a worker: where it finds the driver of its GPUs."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from trainmark.runs.job import with_browser
from trainmark.runs.launch import worker_environment

GPUS: Any = tuple(SimpleNamespace(kind="cuda", uuid=f"GPU-{number}") for number in range(2))


@pytest.fixture
def user_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's LD_LIBRARY_PATH has a folder of libraries, and one with the GPUs' driver."""
    (tmp_path / "driver").mkdir()
    (tmp_path / "driver" / "libcuda.so.1").touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{tmp_path}/libraries:{tmp_path}/driver:")
    return tmp_path


def library_path(gpus: Any, **variables: str) -> str | None:
    return worker_environment(Path("/some/bin/python"), 2, gpus, variables).get("LD_LIBRARY_PATH")


def test_the_drivers_folder_comes_behind_the_environments_own(user_path: Path) -> None:
    assert library_path(GPUS) == f"{user_path}/driver"
    assert library_path(GPUS, LD_LIBRARY_PATH="/own") == f"/own:{user_path}/driver"


def test_a_run_on_the_cpu_needs_none(user_path: Path) -> None:
    assert library_path(()) is None
    assert library_path((), LD_LIBRARY_PATH="/own") == "/own"


def test_a_run_sees_its_gpus_alone_and_rounds_to_no_other_precision() -> None:
    variables = worker_environment(Path("/some/bin/python"), 2, GPUS, {})
    assert variables["CUDA_VISIBLE_DEVICES"] == "GPU-0,GPU-1"
    assert variables["NVIDIA_TF32_OVERRIDE"] == "0"


def test_a_browser_that_the_user_names_comes_without_the_libraries_of_the_environments_own(
    tmp_path: Path,
) -> None:
    variables = {"TRAINMARK_BROWSER": "/own/chromium", "LD_LIBRARY_PATH": "/own/lib", "OTHER": "1"}
    named = tmp_path / "chromium"
    named.touch(mode=0o755)
    environment = with_browser({"variables": variables}, str(named))
    assert environment["variables"] == {"TRAINMARK_BROWSER": str(named), "OTHER": "1"}
    assert with_browser({"variables": variables}, None)["variables"] == variables


@pytest.mark.parametrize("named", ["/nowhere/chromium", "no-such-chromium"])
def test_without_the_browser_that_the_user_names_the_environment_is_unavailable(named: str) -> None:
    built = {"status": "available", "variables": {"TRAINMARK_BROWSER": "/own/chromium"}}
    environment = with_browser(built, named)
    assert environment["status"] == "unavailable"
    assert f"browser names {named}, and there is no such program here" in environment["reason"]


def test_a_browser_on_the_path_is_named_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chromium").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    environment = with_browser({"variables": {"TRAINMARK_BROWSER": "/own"}}, "chromium")
    assert environment["variables"] == {"TRAINMARK_BROWSER": f"{tmp_path}/chromium"}


def test_an_environment_without_a_browser_stays_as_it_is() -> None:
    for lock in ({"variables": {"OTHER": "1"}}, {"reason": "not asked for"}):
        assert with_browser(lock, "/opt/chromium") == lock
