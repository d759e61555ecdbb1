"""The studies of a call of Snakemake: the one of its configuration, or each one of a set.

A set has the key `studies`: the files of each study by its name, in the order in which the studies
are measured. Each later file of a study changes those before it, as with --configfile. The set's
other keys, and those of --config, are laid over every study.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError
from trainmark.study import plan
from trainmark.study.config import base, study_file
from trainmark.study.config.errors import StudyError

KEY = "studies"
OF_ONE_STUDY = ("study", "base", "cases")
SHARED = ("interpreters", "mirrors", "subset")
"""Keys of `machine` on which environments and data depend, which all studies share."""
FIGURE_FORMATS = "figure_formats"
"""A key that all studies share: the outputs of the rule that draws their figures follow from it."""
SET_FOLDERS = ("baseline", "others")
"""Keys with folders of results: in a set each folder has a result for every study."""
PUBLISHED = "published:"
"""The beginning of a result set of published values, in the place of a folder."""


def files(config: Mapping[str, Any], files_of_call: Sequence[Path]) -> dict[str, list[Path]]:
    """The files of each study of a set by its name; of a single study those of the call.

    Raises StudyError for a set that isn't a mapping from names to lists of files.
    """
    if KEY not in config:
        return {str(config.get("study")): list(files_of_call)}
    for key in OF_ONE_STUDY:
        if key in config:
            raise StudyError(f"{key}: belongs into the files of a study; a set of studies has none")
    studies = config[KEY]
    if not isinstance(studies, Mapping) or not studies:
        raise StudyError(f"{KEY}: not a mapping from the name of each study to a list of its files")
    for name, names in studies.items():
        if names is not None and not _is_list_of_names(names):
            raise StudyError(f"{KEY}.{name}: {names!r} is not a list of files")
    if not any(studies.values()):
        removed = ", ".join(map(str, studies))
        raise StudyError(f"{KEY}: null takes back each of {removed}; leave one")
    return {name: list(map(Path, names)) for name, names in studies.items() if names is not None}


def make(
    config: Mapping[str, Any], files_of_call: Sequence[Path], environments: Path
) -> dict[str, plan.Plan]:
    """The plan of each study by its name, in the order of the set.

    Raises StudyError, or another TrainmarkError, in a set with the name of the study before it.
    """
    if KEY not in config:
        single = plan.make(base.with_cases(config, files_of_call), environments)
        return {single.study: single}
    set_keys = {key: value for key, value in config.items() if key != KEY}
    plans = {
        name: _plan(name, names, set_keys, environments)
        for name, names in files(config, files_of_call).items()
    }
    _check_shared(list(plans.values()))
    _check_machines(list(plans.values()))
    return plans


def _is_list_of_names(value: Any) -> bool:
    is_list = isinstance(value, list) and bool(value)
    return is_list and all(isinstance(name, str) for name in value)


def _plan(
    name: str, names: Sequence[Path], set_keys: Mapping[str, Any], environments: Path
) -> plan.Plan:
    try:
        return plan.make(_config(name, names, set_keys), environments)
    except TrainmarkError as error:
        raise StudyError(f"{KEY}.{name}: {error}") from None


def _config(name: str, names: Sequence[Path], set_keys: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a study's files, with the keys of the set laid over it."""
    config: dict[str, Any] = {}
    for file in names:
        config = _with_changes(config, study_file.read(file))
    if KEY in config:
        raise StudyError("is itself a set; name its studies in this one")
    if config.get("study") != name:
        raise StudyError(f"its files say `study: {config.get('study')}`; use that name")
    return base.with_cases(_with_changes(config, _of_study(name, set_keys)), names)


def _with_changes(config: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration with changes, as Snakemake merges files: mappings by key, others whole."""
    merged = dict(config)
    for key, value in changes.items():
        before = merged.get(key)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            value = _with_changes(before, value)
        merged[key] = value
    return merged


def _of_study(name: str, set_keys: Mapping[str, Any]) -> dict[str, Any]:
    """The keys laid over a study; of each folder of earlier results, the part of this study."""
    values = dict(set_keys)
    for key in SET_FOLDERS:
        if isinstance(values.get(key), str):
            values[key] = _result_of_study(values[key], name)
        if isinstance(values.get(key), list):
            values[key] = [_result_of_study(folder, name) for folder in values[key]]
    return values


def _result_of_study(folder: Any, name: str) -> Any:
    """A study's archive in a folder, else its own folder there; published values as they are."""
    if not isinstance(folder, str) or folder.startswith(PUBLISHED):  # the schema refuses others
        return folder
    archive = Path(folder, f"{name}.zip")
    return str(archive if archive.is_file() else Path(folder, name))


def _check_shared(plans: Sequence[plan.Plan]) -> None:
    first, *others = plans
    shared = _shared(first)
    for other in others:
        for place, value in _shared(other).items():
            if value != shared[place]:
                raise StudyError(
                    f"{place}: {first.study} and {other.study} differ, but all studies of a set "
                    "share it; give it in the set"
                )


def _shared(of: plan.Plan) -> dict[str, Any]:
    """The values on which all studies have to agree, by their places in the configuration."""
    of_machine = {f"machine.{key}": of.config["machine"][key] for key in SHARED}
    return {**of_machine, FIGURE_FORMATS: of.config[FIGURE_FORMATS]}


def _check_machines(plans: Sequence[plan.Plan]) -> None:
    """Raise StudyError for two machines of one name, whose target and queue would be one."""
    machines: dict[str, tuple[str, Any]] = {}
    for each in plans:
        for name, facts in each.config["machines"].items():
            study, known = machines.setdefault(name, (each.study, facts))
            if facts != known:
                raise StudyError(
                    f"machines.{name}: {study} and {each.study} describe it differently; "
                    "give it in the set"
                )
