"""What a run is to be done with: its job, whole, and its environment's lock."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Task(NamedTuple):
    """One run that is to be measured, or of which is recorded why it isn't.

    Attributes:
        job: the content of job.json.
        lock: of its environment: what was installed, or why nothing could be.
        code: the digest of the worker's files that it executes.
        folder: where all is written that comes of it.

    """

    job: Mapping[str, Any]
    lock: Mapping[str, Any]
    code: str
    folder: Path


FILES = ("data", "reference", "trained")
"""What a run may read: its data set's index, its parity reference, the weights of another run."""


def complete(
    settings: Mapping[str, Any], machine: Mapping[str, Any], files: Mapping[str, str]
) -> dict[str, Any]:
    """The job: the settings that define the measurement, and what belongs to this machine.

    `files` are those of FILES that the run reads, by these names.
    """
    threads = settings["thread_count"]
    if threads == "all":
        threads = machine.get("threads", len(os.sched_getaffinity(0)))
    return {
        **settings,
        "threads": threads,
        "timeout_seconds": machine["timeout_seconds"],
        **{name: str(Path(files[name]).absolute()) if name in files else None for name in FILES},
    }


def read_lock(path: str | None, environment: str) -> dict[str, Any]:
    """The installed lock; nothing is prepared for a run that the study leaves out."""
    if path is None:
        return {"environment": environment, "status": "unavailable", "reason": "not asked for"}
    lock: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return lock
