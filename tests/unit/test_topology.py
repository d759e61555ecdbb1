"""How a record says where the cores and the memory of a run lie."""

import os
from pathlib import Path

import pytest

from trainmark.machine import topology


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine's files: two NUMA nodes of two cores with two threads each, as Linux numbers them.

    Threads 0 to 3 are one of each core, 4 to 7 the others.
    """
    for thread in range(8):
        core = thread % 4
        place = tmp_path / "cpu" / f"cpu{thread}" / "topology"
        place.mkdir(parents=True)
        (place / "thread_siblings_list").write_text(f"{core},{core + 4}\n")
        (tmp_path / "node" / f"node{core // 2}" / f"cpu{thread}").mkdir(parents=True)
    (tmp_path / "node" / "node2").mkdir()  # of memory alone
    monkeypatch.setattr(topology, "SYSTEM", tmp_path)
    monkeypatch.setattr(topology, "MAPS", tmp_path / "numa_maps")
    return tmp_path


@pytest.mark.parametrize(
    ("threads", "expected"),
    [
        (range(8), "2 threads per core, 2 of 2 NUMA nodes"),
        ([0, 1, 4, 5], "2 threads per core, 1 of 2 NUMA nodes"),
        (range(4), "1 thread per core, 2 of 2 NUMA nodes"),
    ],
)
def test_it_is_that_of_the_usable_threads(system, monkeypatch, threads, expected):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(threads))
    assert topology.described() == expected


def test_a_memory_policy_is_named(system, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    (system / "numa_maps").write_text("557db5e49000 default file=/usr/bin/head mapped=2\n")
    assert topology.described() == "1 thread per core, 1 of 2 NUMA nodes"
    (system / "numa_maps").write_text("557db5e49000 bind:0 file=/usr/bin/head mapped=2\n")
    assert topology.described() == "1 thread per core, 1 of 2 NUMA nodes, memory bind:0"


def test_what_cannot_be_read_is_not_said(monkeypatch, tmp_path):
    monkeypatch.setattr(topology, "SYSTEM", tmp_path)
    assert topology.described() is None
