"""The steps that a run trains: those that its case requests, or fewer by the study's bounds."""

from collections.abc import Collection, Mapping
from typing import Any

from trainmark.study import datasets
from trainmark.study.config.errors import StudyError
from trainmark.study.stages import GENERATION

Requested = Mapping[str, Any]
"""The settings that were cut, by name, as the case requests them."""


def of_case(where: str, settings: Mapping[str, Any], batch_size: int) -> int:
    """The steps of a case's window. Its epochs, if given, also contain the steps of its warm-up.

    Raises StudyError where they are unknown, or none is left.
    """
    if ("steps" in settings) == ("epochs" in settings):
        wanted = "remove steps or epochs" if "steps" in settings else "give steps or epochs"
        raise StudyError(f"{where}: {wanted}: a case has one of them")
    if "steps" in settings:
        return int(settings["steps"])
    count = datasets.facts(settings["dataset"]).train_count
    if count is None:
        raise StudyError(
            f"{where}: how many images {settings['dataset']} has is known only once they are "
            "there: give steps instead of epochs"
        )
    steps: int = round(settings["epochs"] * (count // batch_size)) - settings["warmup_steps"]
    if steps < 1:
        raise StudyError(
            f"{where}: {settings['epochs']} epochs of {count} images leave no step after the "
            f"{settings['warmup_steps']} of the warm-up; raise epochs, or lower warmup_steps"
        )
    return steps


def cut(settings: dict[str, Any], steps: int | None, seconds: float | None) -> Requested:
    """Cut a configuration short; return the settings that changed, as the case requests them.

    A run that is cut isn't evaluated: the accuracy after fewer steps is not the case's accuracy. A
    generation keeps its number of tokens: with fewer, its prompt would be longer.
    """
    requested = {"max_seconds": None} | settings
    trained = max(settings["steps"], settings["warmup_steps"])
    if seconds is not None or (steps is not None and trained > steps):
        settings.update(evaluate=False, evaluate_every=0)
    if steps is not None:
        if settings["stage"] != GENERATION:
            settings["steps"] = min(settings["steps"], steps)
        settings["warmup_steps"] = min(settings["warmup_steps"], steps)
        settings["latency_steps"] = min(settings["latency_steps"], steps)
        settings["window_seconds"] = 0.0
    settings["max_seconds"] = seconds
    if seconds is not None:
        for limit in ("warmup_seconds", "warmup_limit_seconds"):
            settings[limit] = min(settings[limit], seconds)
    return {name: value for name, value in requested.items() if settings[name] != value}


def note(requested: Collection[Requested], steps: int | None, seconds: float | None) -> str:
    """The note below each table and figure of a study; nothing where no window is cut."""
    limits = []
    if any({"steps", "warmup_steps", "window_seconds"} & each.keys() for each in requested):
        limits.append(f"after at most {steps} step{'' if steps == 1 else 's'}")
    if seconds is not None:
        limits.append(f"with the step in which {seconds:g} s are over")
    if not limits:
        return ""
    return f"Cut short: each run's window ends {' or '.join(limits)}; what is cut isn't evaluated."
