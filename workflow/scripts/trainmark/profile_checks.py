"""Checks of Snakemake's command line that the profiles make: of study files and of the executor.

Snakemake reads the files of --configfile before its Snakefile, and of one that can't be read it
tells neither name nor line. Of a missing plug-in it prints a hundred lines of usage.
A profile is the only file of a project that it reads before, so the profiles call `check`.
"""

import argparse
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import yaml

from trainmark.errors import TrainmarkError, one_line_errors
from trainmark.study.config import study_file

PLUG_INS = ("slurm", "cluster-sync")
"""Executors whose plug-ins `make slurm` sets up."""


class NoExecutor(TrainmarkError):
    """Snakemake's plug-in for an executor isn't in this host environment."""


def check(arguments: Sequence[str]) -> None:
    """Exit with one line where a study file or the profile's executor can't be used."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", type=Path, default=[])
    parser.add_argument("--workflow-profile", "--profile", type=Path)
    options, _ = parser.parse_known_args(arguments)
    with one_line_errors():
        executor = _executor(options.workflow_profile)
        if executor in PLUG_INS:
            require_executor(executor)
        for file in options.configfile:
            study_file.check(file)


def require_executor(name: str) -> None:
    """Raise NoExecutor where the plug-in for an executor is missing."""
    if find_spec(f"snakemake_executor_plugin_{name.replace('-', '_')}") is None:
        raise NoExecutor(
            f"Snakemake's plug-in for {name} isn't here: `make slurm` sets it up, and then "
            "call .venv-slurm/bin/snakemake"
        )


def _executor(profile: Path | None) -> str:
    """The executor of a profile, which is its folder."""
    file = profile / "config.yaml" if profile else None
    if file is None or not file.exists():
        return "local"
    settings = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    return str(settings.get("executor", "local"))
