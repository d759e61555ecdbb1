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
        (range(8), "8 threads of 4 cores, 2 of 2 NUMA nodes"),
        ([0, 1, 4, 5], "4 threads of 2 cores, 1 of 2 NUMA nodes"),
        ([0, 1, 4], "3 threads of 2 cores, 1 of 2 NUMA nodes"),
        ([7], "1 thread of 1 core, 1 of 2 NUMA nodes"),
    ],
)
def test_it_is_that_of_the_usable_threads(system, monkeypatch, threads, expected):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(threads))
    assert topology.description() == expected


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (b"default", ""),
        (b"bind:0", ", memory bind:0"),
        (b"prefer (many):0-1", ", memory prefer (many):0-1"),
        (b"weighted interleave:0-1", ", memory weighted interleave:0-1"),
    ],
)
def test_a_memory_policy_is_named(system, monkeypatch, policy, expected):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    (system / "numa_maps").write_bytes(b"557db5e49000 %s file=/caf\xe9/python mapped=2\n" % policy)
    assert topology.description() == f"2 threads of 2 cores, 1 of 2 NUMA nodes{expected}"


def test_what_cannot_be_read_is_not_said(monkeypatch, tmp_path):
    monkeypatch.setattr(topology, "SYSTEM", tmp_path)
    monkeypatch.setattr(topology, "MAPS", tmp_path / "numa_maps")
    assert topology.description() is None
