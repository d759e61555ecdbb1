"""Which runs predict with the trained weights of others, and what no schema can say of that."""

from collections.abc import Mapping
from typing import Any

from trainmark.study.config.errors import StudyError
from trainmark.study.planned_run import PlannedRun

NEEDED = {"stages": ("train", "infer"), "input_modes": ("dataset",)}
"""What a study must ask for, that some run trains and another one predicts."""


def check(config: Mapping[str, Any]) -> None:
    """Where a case says who trains, somebody does, and keeps the weights."""
    for name, case in config["cases"].items():
        if "trained_by" not in case:
            continue
        where = f"cases.{name}.trained_by"
        if not case["keep_weights"]:
            raise StudyError(f"{where}: needs keep_weights: true")
        for key, values in NEEDED.items():
            for value in values:
                if value not in config[key]:
                    raise StudyError(f"{where}: needs {value} among the study's {key}")


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
