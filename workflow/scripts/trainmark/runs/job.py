"""The job of a run, and all else that its measurement needs."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from trainmark.environments.library_path import LIBRARY_PATH
from trainmark.files import read_json
from trainmark.machine import cores
from trainmark.runs.nodes.hosts import nodes_here
from trainmark.study.axes import HOST_DEFAULTS

BROWSER = "TRAINMARK_BROWSER"
"""The variable of the environment that names the browser to a worker of the web's runtimes."""


class Task(NamedTuple):
    """One run that is to be measured, or of which is recorded why it isn't.

    Attributes:
        job: the content of job.json.
        lock: of its environment: what was installed, or why nothing could be.
        code: the digest of the worker's files that it executes.
        folder: where all is written that comes of it.
        inputs: the digests of the files that it reads, by name.
        scratch: the folder of this machine to which its data set is copied first.

    """

    job: Mapping[str, Any]
    lock: Mapping[str, Any]
    code: str
    folder: Path
    inputs: Mapping[str, str] = MappingProxyType({})
    scratch: str | None = None


FILES = ("data", "reference", "trained", "attacked")
"""Names of what a run may read: its data set's index, its parity reference, the weights of another
run, and the record of one that made adversarial images."""
LOCKS = ("lock", "attacker")
"""Names of the installed locks of the environments of a run, and of its attacks."""


def complete(
    settings: Mapping[str, Any],
    machine: Mapping[str, Any],
    files: Mapping[str, str],
    attacker: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The content of job.json: the settings of the measurement, and those of this machine.

    Threads are those of one node. `files` are those of FILES that the run reads, by these names;
    `attacker` is the lock of the environment that attacks, where it does.
    """
    threads = settings["thread_count"]
    if threads == "all":
        all_threads = machine.get("threads", cores.usable())
        threads = max(1, all_threads // nodes_here(settings["device"], machine))
    return {
        **HOST_DEFAULTS,
        **settings,
        "threads": threads,
        "timeout_seconds": machine["timeout_seconds"],
        **{name: str(Path(files[name]).absolute()) if name in files else None for name in FILES},
        "attacker": _interpreter(attacker) if attacker else None,
    }


def _interpreter(lock: Mapping[str, Any]) -> str | None:
    """The path of an environment's interpreter, not resolved: a venv works by its link."""
    return str(Path.cwd() / lock["interpreter"]) if lock["status"] == "available" else None


def read_lock(path: str | None, environment: str) -> dict[str, Any]:
    """The installed lock; nothing is prepared for a run that the study leaves out."""
    if path is None:
        return {"environment": environment, "status": "unavailable", "reason": "not requested"}
    return read_json(Path(path), "environment", "status")


def with_browser(lock: dict[str, Any], browser: str | None) -> dict[str, Any]:
    """The installed lock with the browser that the user names, where it is of the web's runtimes.

    Without the libraries of the browser that the environment brings. Where there is no such
    program, the environment is unavailable.
    """
    variables = lock.get("variables", {})
    if browser is None or BROWSER not in variables:
        return lock
    program = shutil.which(browser)
    if program is None:
        reason = (
            f"no browser: machine: browser names {browser}, and there is no such program here; "
            "name a Chromium, delete the folder of this run and give the same command again"
        )
        return {**lock, "status": "unavailable", "reason": reason}
    others = {name: value for name, value in variables.items() if name != LIBRARY_PATH}
    named = os.path.abspath(program)  # noqa: PTH100 (a link may matter)
    return {**lock, "variables": {**others, BROWSER: named}}
