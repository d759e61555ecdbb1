"""Provenance of a run: host, operating system, batch job, revision and versions."""

import os
import subprocess
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from trainmark.machine import host
from trainmark.study import plugins

CODE = plugins.SCRIPTS.parents[1]
JOB_VARIABLES = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID")
NODE_VARIABLES = ("SLURMD_NODENAME",)
"""Variables by which batch systems identify a job and its node."""


def origin(environment: Mapping[str, Any], code: str, inputs: Mapping[str, str]) -> dict[str, Any]:
    """Provenance that is known before a run.

    With its environment's lock, the digest of its code, and those of the files that it reads.
    """
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return {
        "started": started,
        "host": host.facts(),
        "batch": batch(),
        "environment": environment,
        "code": code,
        "inputs": dict(inputs),
        **versions(),
    }


def batch() -> dict[str, str | None] | None:
    """The batch system's job that this is in, and its name of the node; None where there is none.

    A node may have another name there than its host name.
    """
    job, node = (
        next((os.environ[name] for name in names if name in os.environ), None)
        for names in (JOB_VARIABLES, NODE_VARIABLES)
    )
    return {"job": job, "node": node} if job else None


def versions() -> dict[str, str | None]:
    """Git revision (-dirty where tracked files differ), Snakemake's and trainmark's versions."""
    return {"revision": revision(CODE), "snakemake": _snakemake(), "trainmark": _trainmark()}


def revision(folder: Path) -> str | None:
    """The git revision of a folder; None outside a checkout, or without git."""
    options = ("--always", "--dirty", "--abbrev=40", "--exclude=*")
    command = ["git", "-C", str(folder), "describe", *options]
    try:
        answer = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return answer.stdout.strip() or None


def _snakemake() -> str | None:
    try:
        return metadata.version("snakemake")
    except metadata.PackageNotFoundError:
        return None


def _trainmark() -> str | None:
    try:
        project = (CODE / "pyproject.toml").read_text(encoding="utf-8")
    except OSError:
        return None
    return str(tomllib.loads(project)["project"]["version"])
