"""Finding plug-ins by their names and reading their facts without importing them.

A framework is a folder, of which adapter.py is read. Any other plug-in is a file with its name, or
one of several in a file. An adapter imports its framework, which the host doesn't have, so what the
host must know about a plug-in is written as literals and read from the syntax tree:

- of a file, as constants (upper-case names) at its top;
- of one of several in a file, as keywords of a call that is named like the kind. The call decorates
  a function with the plug-in's name, or its result is assigned to that name:
  `@metric(title="Step time", unit="ms") def step_time(run): ...`, or
  `accuracy = figure(title="Accuracy", metric="accuracy_top1")`. As facts, the keywords are in upper
  case, too; `load` returns the function, or what was assigned.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError, unknown
from trainmark.study import builds
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
    "csv": SCRIPTS / "trainmark" / "analyse" / "csv",
    "table": SCRIPTS / "trainmark" / "report" / "tables",
    "figure": SCRIPTS / "trainmark" / "report" / "figures",
    "chart style": SCRIPTS / "trainmark" / "report" / "charts",
    "published study": SCRIPTS / "trainmark" / "report" / "published",
}


class UnknownPlugin(TrainmarkError):
    """A name in the study that no plug-in file answers to."""


def names(kind: str) -> list[str]:
    """The names of all plug-ins of one kind, sorted."""
    return sorted(_files(kind))


def applicable(
    kind: str, runs: Collection[Mapping[str, Any]], reproduces: str | None = None
) -> list[str]:
    """The names of the plug-ins that show something of runs with these settings, sorted.

    A plug-in may restrict the runs that it applies to by these facts: the STAGES that it shows;
    the SETTING that runs must have; the framework's fact that it is OF; the setting that it goes
    ALONG, with several values in a case; DEVICES, if it needs several numbers of one kind of
    device; RELEASES, if it needs releases of frameworks; VARIANTS, if it needs a framework's
    default and one with options; and OF_TEXT, if it needs networks that read text. PUBLISHED
    restricts it to studies that repeat one of these published studies.
    """
    return [name for name in names(kind) if _applies(facts(kind, name), runs, reproduces)]


def _applies(
    stated: Mapping[str, Any], runs: Collection[Mapping[str, Any]], reproduces: str | None
) -> bool:
    return (
        any(_shows(stated, run) for run in runs)
        and reproduces in stated.get("PUBLISHED", [reproduces])
        and ("ALONG" not in stated or _has_several(stated, runs))
        and ("DEVICES" not in stated or _has_several_numbers(runs))
        and ("VARIANTS" not in stated or _has_variants(runs))
    )


def _shows(stated: Mapping[str, Any], run: Mapping[str, Any]) -> bool:
    is_of_stage = run["stage"] in stated.get("STAGES", [run["stage"]])
    if "RELEASES" in stated and builds.release(run["environment"]) is None:
        return False
    if "OF_TEXT" in stated and "READS_TEXT" not in facts("network", run["network"]):
        return False
    is_of_framework = "OF" not in stated or stated["OF"] in facts("framework", run["adapter"])
    return is_of_stage and is_of_framework and bool(run[stated.get("SETTING", "stage")])


def _has_several(stated: Mapping[str, Any], runs: Collection[Mapping[str, Any]]) -> bool:
    """Whether a case has several values of the stated setting, in runs that are shown."""
    points = {(run["case"], run[stated["ALONG"]]) for run in runs if _shows(stated, run)}
    return len(points) > len({case for case, _ in points})


def _has_several_numbers(runs: Collection[Mapping[str, Any]]) -> bool:
    """Whether a case has several numbers of a kind of devices."""
    points = {(run["case"], *devices.parts(run["device"])) for run in runs}
    return len(points) > len({(case, kind) for case, kind, _ in points})


def _has_variants(runs: Collection[Mapping[str, Any]]) -> bool:
    """Whether a framework is there with options and under its own name, which has none."""
    defaults = {run["adapter"] for run in runs if run["framework"] == run["adapter"]}
    others = (run for run in runs if run["framework"] != run["adapter"])
    return any(run["options"] and run["adapter"] in defaults for run in others)


def path(kind: str, name: str) -> Path:
    """The file of one plug-in; raises UnknownPlugin, which lists the known names."""
    files = _files(kind)
    if name not in files:
        raise UnknownPlugin(unknown(kind, name, sorted(files)))
    return files[name]


@cache
def load(kind: str, name: str) -> Any:
    """A plug-in that the host executes: its module, or what a file of several defines by its name.

    Raises UnknownPlugin.
    """
    file = path(kind, name)
    module = import_module(".".join(file.relative_to(SCRIPTS).with_suffix("").parts))
    return getattr(module, name) if name in _several(kind, file) else module


@cache
def facts(kind: str, name: str) -> dict[str, Any]:
    """The literals that a plug-in states, by upper-case names; raises UnknownPlugin."""
    file = path(kind, name)
    several = _several(kind, file)
    return several[name] if name in several else _constants(file)


def facts_if_known(kind: str, name: str) -> dict[str, Any]:
    """The facts of a plug-in; none of a name that isn't here, as results from elsewhere have."""
    return facts(kind, name) if name in _files(kind) else {}


def _constants(file: Path) -> dict[str, Any]:
    """The literal constants at the top of a file."""
    constants: dict[str, Any] = {}
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name), *_], value=value) if name.isupper():
                constants.update(literal_fact(name, value))
    return constants


def _files(kind: str) -> dict[str, Path]:
    return _files_by_name(kind, FOLDERS[kind])


@cache
def _files_by_name(kind: str, folder: Path) -> dict[str, Path]:
    """The files of a kind's plug-ins; cached since each row of a table looks some up."""
    if kind == "framework":
        return {file.parent.name: file for file in folder.glob("*/adapter.py")}
    files = folder.glob("[!_]*.py")
    return {name: file for file in files for name in _several(kind, file) or [file.stem]}


@cache
def _several(kind: str, file: Path) -> dict[str, dict[str, Any]]:
    """The facts of each plug-in in a file of several; nothing where the file is one plug-in."""
    text = file.read_text(encoding="utf-8")
    if f"{kind}(" not in text:
        return {}
    return {
        name: {
            fact: literal
            for keyword in call.keywords
            for fact, literal in literal_fact(str(keyword.arg).upper(), keyword.value).items()
        }
        for name, call in defining_calls(ast.parse(text))
        if isinstance(call.func, ast.Name) and call.func.id == kind
    }


def defining_calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Calls that decorate a function at a file's top or make what a name there is, by the name."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name, decorator_list=calls):
                yield from ((name, call) for call in calls if isinstance(call, ast.Call))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                yield name, call


def is_plugin(file: Path) -> bool:
    """Whether a file is a plug-in, or has several."""
    folder = file.parent.parent if file.name == "adapter.py" else file.parent
    return folder in FOLDERS.values()


def literal_fact(name: str, value: ast.expr) -> dict[str, Any]:
    """A fact and its value; nothing where it is computed, which concerns the plug-in alone."""
    try:
        return {name: ast.literal_eval(value)}
    except ValueError:
        return {}
