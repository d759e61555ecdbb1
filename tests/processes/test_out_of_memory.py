"""A run that the kernel ends for want of memory, which is known by a counter of the whole machine.

So it runs alone: a process that another test kills meanwhile would count as one that lacked memory.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from little_worker import Run


@pytest.fixture
def small_cgroup() -> Iterator[Path]:
    """A cgroup of 64 MiB that a process may enter."""
    parent = Path("/sys/fs/cgroup/memory")
    limit = "memory.limit_in_bytes"
    if not parent.exists():
        parent, limit = parent.parent, "memory.max"
    folder = parent / f"trainmark-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as error:
        pytest.skip(f"needs leave to make a cgroup: {error}")
    try:
        (folder / limit).write_text(str(2**26))
        yield folder
    except OSError as error:
        pytest.skip(f"needs the memory controller of cgroups: {error}")
    finally:
        folder.rmdir()


def test_the_kernel_killing_for_want_of_memory(run: Run, small_cgroup: Path) -> None:
    record = run(
        f"""
        open("{small_cgroup}/cgroup.procs", "w").write(str(os.getpid()))
        b"x" * 2**28
        """
    )
    assert (record["status"], record["signal"]) == ("out_of_memory", "SIGKILL")
    assert record["reason"].startswith("killed by the kernel for want of memory in ")
