"""Which runs predict with the trained weights of others, and what no schema can say of that."""

from collections.abc import Mapping
from typing import Any

from trainmark.study import datasets, plugins
from trainmark.study.config.errors import StudyError
from trainmark.study.planned_run import PlannedRun

NEEDED = {"stages": ("train", "infer"), "input_modes": ("dataset",)}
"""What a study must ask for, that some run trains and another one predicts."""


def check(config: Mapping[str, Any]) -> None:
    """Where a case says who trains, somebody does, and keeps the weights.

    Corruptions exist (UnknownPlugin), and are of what is trained for others.
    """
    for name, case in config["cases"].items():
        _check_corruptions(f"cases.{name}.corruptions", case)
        if "trained_by" not in case:
            continue
        where = f"cases.{name}.trained_by"
        if not case["keep_weights"]:
            raise StudyError(f"{where}: needs keep_weights: true")
        for key, values in NEEDED.items():
            for value in values:
                if value not in config[key]:
                    raise StudyError(f"{where}: needs {value} among the study's {key}")


def _check_corruptions(where: str, case: Mapping[str, Any]) -> None:
    for name in case["corruptions"]:
        plugins.path("corruption", name)
    if case["corruptions"] and "trained_by" not in case:
        raise StudyError(f"{where}: needs trained_by, with whose weights images are predicted")
    if case["corruptions"] and datasets.facts(case["dataset"]).encoded:
        raise StudyError(f"{where}: {case['dataset']} has image files; stored pixels are corrupted")


def of_runs(runs: Mapping[str, PlannedRun]) -> dict[str, str]:
    """For each run with a trainer the path of that one's run, which comes first of those that fit.

    Raises StudyError where there is none.
    """
    kept: dict[tuple[Any, ...], str] = {}
    for path, run in runs.items():
        if run.settings["keep_weights"] and run.excluded is None:
            kept.setdefault(_key(run, run.settings["framework"]), path)
    found = {}
    for path, run in runs.items():
        if run.settings["trained_by"] is None:
            continue
        trainer = kept.get(_key(run, run.settings["trained_by"]))
        if trainer is None:
            raise StudyError(
                f"cases.{run.settings['case']}.trained_by: the study doesn't train it in "
                f"{run.settings['trained_by']}"
            )
        found[path] = trainer
    return found


def _key(run: PlannedRun, framework: str) -> tuple[Any, ...]:
    return run.settings["case"], framework, run.settings["repeat"]
