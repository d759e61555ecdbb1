"""The cores that a process may use, by its affinity and by limits of cgroups."""

import os
from pathlib import Path

import pytest

from trainmark.machine import cgroups, cores

ALLOWED = len(os.sched_getaffinity(0))
HALF_A_CORE = {"cpu.cfs_quota_us": "50000\n", "cpu.cfs_period_us": "100000\n"}


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file system of cgroups, in which this process has no limits."""
    monkeypatch.setattr(cgroups, "CGROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(cgroups, "MEMBERSHIP", tmp_path / "membership")
    return tmp_path


def limit(groups: Path, membership: str, group: str, files: dict[str, str]) -> None:
    (groups / "membership").write_text(membership)
    folder = groups / "cgroup" / group
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)


def test_without_cgroups_they_are_those_of_the_affinity(groups: Path) -> None:
    assert cores.usable() == ALLOWED


@pytest.mark.parametrize(
    ("membership", "group", "files"),
    [
        ("0::/container/study\n", "container/study", {"cpu.max": "150000 100000\n"}),
        ("0::/container/study\n", "container", {"cpu.max": "100000 100000\n"}),
        ("0::/\n", "", {"cpu.max": "100000 100000\n"}),
        ("4:cpu,cpuacct:/study\n0::/\n", "cpu/study", HALF_A_CORE),
        ("4:cpu,cpuacct:/elsewhere\n", "cpu", HALF_A_CORE),
    ],
    ids=["version 2", "of a group around it", "a container's", "version 1", "version 1, container"],
)
def test_a_limit_of_time_is_one_of_whole_cores_and_one_at_least(
    groups: Path, membership: str, group: str, files: dict[str, str]
) -> None:
    limit(groups, membership, group, files)
    assert cores.usable() == 1


@pytest.mark.parametrize(
    "files",
    [
        {"cpu.max": "max 100000\n"},
        {"cpu.cfs_quota_us": "-1\n", "cpu.cfs_period_us": "100000\n"},
        {"cpu.max": f"{(ALLOWED + 1) * 100_000} 100000\n"},
    ],
)
def test_what_is_no_limit_changes_nothing(groups: Path, files: dict[str, str]) -> None:
    limit(groups, "0::/study\n", "study", files)
    assert cores.usable() == ALLOWED
