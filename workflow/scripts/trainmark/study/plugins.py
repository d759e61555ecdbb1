"""Finding plug-ins by the names of their files and reading their facts without importing them.

A framework is a folder, of which adapter.py is read; all others are a file each. An adapter
imports its framework, which the host doesn't have, so what the host must know about a plug-in
stands as literal constants at the top of its file and is read from the syntax tree.
"""

import ast
from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError
from worker import devices

SCRIPTS = Path(__file__).resolve().parents[2]
FOLDERS = {
    "framework": SCRIPTS / "worker" / "frameworks",
    "network": SCRIPTS / "worker" / "networks",
    "stage": SCRIPTS / "worker" / "stages",
    "corruption": SCRIPTS / "worker" / "input" / "corruptions",
    "attack": SCRIPTS / "worker" / "attacks",
    "data set": SCRIPTS / "trainmark" / "data" / "datasets",
    "variant": SCRIPTS / "trainmark" / "data" / "variants",
    "format": SCRIPTS / "trainmark" / "data" / "formats",
    "dialect": SCRIPTS / "trainmark" / "runs" / "dialects",
    "metric": SCRIPTS / "trainmark" / "analyse" / "run" / "metrics",
    "table": SCRIPTS / "trainmark" / "report" / "tables",
    "figure": SCRIPTS / "trainmark" / "report" / "figures",
    "published study": SCRIPTS / "trainmark" / "report" / "published",
}


class UnknownPlugin(TrainmarkError):
    """A name in the study that no plug-in file answers to."""


def names(kind: str) -> list[str]:
    """The names of all plug-ins of one kind, sorted."""
    return sorted(_files(kind))


def showing(kind: str, runs: Collection[Mapping[str, Any]]) -> list[str]:
    """The names of those that show something of runs with these settings, sorted.

    A plug-in names its STAGES where it shows nothing of others, the SETTING without which a run has
    nothing for it, what of a framework's facts it is OF, the setting that it goes ALONG, of which a
    case must have several values, and whether it needs several numbers of a kind of DEVICES.
    """
    shown = [name for name in names(kind) if any(_shows(facts(kind, name), run) for run in runs)]
    along = [name for name in shown if _has_several(facts(kind, name).get("ALONG"), runs)]
    return [n for n in along if "DEVICES" not in facts(kind, n) or _has_several_numbers(runs)]


def _shows(own: Mapping[str, Any], run: Mapping[str, Any]) -> bool:
    is_of_stage = run["stage"] in own.get("STAGES", [run["stage"]])
    is_of_framework = "OF" not in own or own["OF"] in facts("framework", run["adapter"])
    return is_of_stage and is_of_framework and bool(run[own.get("SETTING", "stage")])


def _has_several(setting: str | None, runs: Collection[Mapping[str, Any]]) -> bool:
    if setting is None:
        return True
    points = {(run["case"], run[setting]) for run in runs}
    return len(points) > len({case for case, _ in points})


def _has_several_numbers(runs: Collection[Mapping[str, Any]]) -> bool:
    """Whether a case has several numbers of a kind of devices."""
    points = {(run["case"], *devices.parts(run["device"])) for run in runs}
    return len(points) > len({(case, kind) for case, kind, _ in points})


def path(kind: str, name: str) -> Path:
    """The file of one plug-in; raises UnknownPlugin, which lists the known names."""
    files = _files(kind)
    if name not in files:
        raise UnknownPlugin(f"unknown {kind} '{name}'; known: {', '.join(sorted(files))}")
    return files[name]


@cache
def load(kind: str, name: str) -> Any:
    """The module of a plug-in that the host executes; raises UnknownPlugin."""
    place = path(kind, name).relative_to(SCRIPTS).with_suffix("")
    return import_module(".".join(place.parts))


@cache
def facts(kind: str, name: str) -> dict[str, Any]:
    """The literal constants (upper-case names) at the top of a plug-in's file."""
    found = {}
    for node in ast.parse(path(kind, name).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            constant = node.targets[0].id
            if constant.isupper():
                found.update(_literal(constant, node.value))
    return found


def _files(kind: str) -> dict[str, Path]:
    return _found(FOLDERS[kind], "*/adapter.py" if kind == "framework" else "[!_]*.py")


@cache
def _found(folder: Path, pattern: str) -> dict[str, Path]:
    """The files of a kind by their names: asked for in each row of tables, each metric of runs."""
    files = folder.glob(pattern)
    return {(path.parent.name if "/" in pattern else path.stem): path for path in files}


def _literal(constant: str, value: ast.expr) -> dict[str, Any]:
    try:
        return {constant: ast.literal_eval(value)}
    except ValueError:  # computed constants are the plug-in's own business
        return {}
