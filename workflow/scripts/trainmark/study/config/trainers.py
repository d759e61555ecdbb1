"""Trainers and attackers: the runs whose output other runs use, and checks beyond the schema.

Other runs predict with trained weights or attack them, and predict adversarial images.
"""

from collections.abc import Callable, Mapping
from typing import Any

from trainmark.study import datasets, plugins, stages
from trainmark.study.config.errors import StudyError
from trainmark.study.planned_run import PlannedRun

NEEDED = {"stages": (("train",), ("infer", stages.ATTACK)), "input_modes": (("dataset",),)}
"""For each key, groups of values; a study with trainers needs at least one value of each group."""


def check(config: Mapping[str, Any]) -> None:
    """Check that cases with trained_by, attacks or corruptions have all that these need.

    Raises StudyError, and UnknownPlugin for an unknown attack or corruption.
    """
    cases = config["cases"]
    for name, case in cases.items():
        _check_corruptions(f"cases.{name}.corruptions", case)
        if "trained_by" in case:
            _check_trainer(f"cases.{name}.trained_by", case, config)
        if case["attacks"]:
            _check_attacks(f"cases.{name}.attacks", case, config["stages"])
        elif "attacked_by" in case:
            raise StudyError(f"cases.{name}.attacked_by: needs attacks")
    is_attacked = any(case["attacks"] for case in cases.values())
    if stages.ATTACK in config["stages"] and not is_attacked:
        raise StudyError(f"stages: {stages.ATTACK} is of cases with attacks; the study has none")


def _check_corruptions(where: str, case: Mapping[str, Any]) -> None:
    for name in case["corruptions"]:
        plugins.path("corruption", name)
    if case["corruptions"] and "trained_by" not in case:
        raise StudyError(f"{where}: needs trained_by, with whose weights images are predicted")
    if case["corruptions"] and not case["evaluate"]:
        raise StudyError(f"{where}: needs evaluate: true, behind which images are predicted")
    if case["corruptions"] and datasets.facts(case["dataset"]).encoded:
        raise StudyError(f"{where}: {case['dataset']} has image files; stored pixels are corrupted")


def of_runs(runs: Mapping[str, PlannedRun]) -> dict[str, str]:
    """For each run with a trainer, the path of the first run that trains its weights.

    Raises StudyError if no run does.
    """
    return _makers(runs, "trained_by", lambda settings: settings["keep_weights"], "train")


def attackers(runs: Mapping[str, PlannedRun]) -> dict[str, str]:
    """For each run that predicts adversarial images, the path of the first run that makes them.

    Raises StudyError if no run does.
    """
    return _makers(runs, "attacked_by", lambda settings: bool(settings["attacks"]), "attack")


def _check_trainer(where: str, case: Mapping[str, Any], config: Mapping[str, Any]) -> None:
    if not case["keep_weights"]:
        raise StudyError(f"{where}: needs keep_weights: true")
    for key, values in NEEDED.items():
        for alternatives in values:
            if not set(alternatives) & set(config[key]):
                raise StudyError(
                    f"{where}: needs {' or '.join(alternatives)} among the study's {key}"
                )


def _check_attacks(where: str, case: Mapping[str, Any], requested: list[str]) -> None:
    for attack in case["attacks"]:
        plugins.path("attack", attack)
    if "trained_by" not in case:
        raise StudyError(f"{where}: needs trained_by, the framework whose weights are attacked")
    if stages.ATTACK not in requested:
        raise StudyError(f"{where}: needs {stages.ATTACK} among the study's stages")
    if datasets.facts(case["dataset"]).encoded:
        raise StudyError(f"{where}: needs stored pixels; {case['dataset']} has image files")
    if "standardise" in case["pixels"]:
        raise StudyError(f"{where}: needs pixels that are normalised alike in all images")


def _makers(
    runs: Mapping[str, PlannedRun],
    setting: str,
    makes: Callable[[Mapping[str, Any]], bool],
    verb: str,
) -> dict[str, str]:
    """For each run whose `setting` names a framework, the path of that framework's first maker.

    `makes` says from a run's settings whether the run is a maker; `verb` is for errors.
    """
    made: dict[tuple[Any, ...], str] = {}
    for path, run in runs.items():
        if makes(run.settings) and run.excluded is None:
            made.setdefault((run.settings["framework"], *_key(run)), path)
    has_several_machines = len({run.settings["machine_name"] for run in runs.values()}) > 1
    makers = {}
    for path, run in runs.items():
        name, key = run.settings[setting], _key(run)
        if name is None or run.excluded is not None:
            continue
        if (name, *key) not in made:
            case, machine, _ = key
            where = f"{name} on {machine}" if has_several_machines else name
            others = [framework for framework, *rest in made if tuple(rest) == key]
            raise StudyError(
                f"cases.{case}.{setting}: the study doesn't {verb} it in {where}; it does in "
                f"{', '.join(others) or 'none'}"
            )
        makers[path] = made[name, *key]
    return makers


def _key(run: PlannedRun) -> tuple[Any, ...]:
    """The settings that a run shares with its maker; their frameworks may differ."""
    return tuple(run.settings[name] for name in ("case", "machine_name", "repeat"))
