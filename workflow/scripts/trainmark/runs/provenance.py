"""Provenance of a run: host, operating system, batch job, revision and versions."""

import os
import platform
import re
import subprocess
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

CODE = Path(__file__).resolve().parents[4]
JOB_VARIABLES = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID")
NODE_VARIABLES = ("SLURMD_NODENAME",)
"""Variables by which batch systems identify a job and its node."""
GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


def origin(environment: Mapping[str, Any], code: str, inputs: Mapping[str, str]) -> dict[str, Any]:
    """Provenance that is known before a run.

    With its environment's lock, the digest of its code, and those of the files that it reads.
    """
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return {
        "started": started,
        "host": host(),
        "batch": batch(),
        "environment": environment,
        "code": code,
        "inputs": dict(inputs),
        **versions(),
    }


def host() -> dict[str, Any]:
    """The machine; None is what can't be read."""
    processor = _read("/proc/cpuinfo")
    memory_kibibytes = _number(r"^MemTotal:\s+(\d+)", _read("/proc/meminfo"))
    return {
        "hostname": platform.node(),
        "cpu": _text(r"^model name\s*: (.+)", processor),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": int(memory_kibibytes * 1024) if memory_kibibytes else None,
        "kernel": platform.release(),
        "system": _text(r'^PRETTY_NAME="?([^"\n]+)', _read("/etc/os-release")),
        "clock_megahertz": _number(r"^cpu MHz\s*: ([\d.]+)", processor),
        "governor": _read(GOVERNOR).strip() or None,
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
    command = [
        "git",
        "-C",
        str(folder),
        "describe",
        "--always",
        "--dirty",
        "--abbrev=40",
        "--exclude=*",
    ]
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
    project = _read(CODE / "pyproject.toml")
    return tomllib.loads(project)["project"]["version"] if project else None


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""


def _text(pattern: str, text: str) -> str | None:
    match = re.search(pattern, text, re.MULTILINE)
    return match[1].strip() if match else None


def _number(pattern: str, text: str) -> float | None:
    number = _text(pattern, text)
    return float(number) if number else None
