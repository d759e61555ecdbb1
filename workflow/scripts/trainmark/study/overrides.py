"""Overrides and exclusions of a study, which both apply to configurations by their settings."""

import copy
import json
from collections.abc import Mapping
from typing import Any

from trainmark.study import stages, steps
from trainmark.study.config import cases, validation
from trainmark.study.config.errors import StudyError


def apply(
    configurations: list[dict[str, Any]],
    overrides: list[dict[str, Any]],
    of_cases: Mapping[str, Mapping[str, Any]],
) -> None:
    """Give configurations the settings of their overrides, the later ones above the earlier.

    The epochs of a case are steps of the batch size that results.
    """
    overridden: dict[int, dict[str, Any]] = {}
    for index, override in enumerate(overrides):
        matching = _matching(configurations, override["where"], f"overrides.{index}.where")
        validation.check_options(f"overrides.{index}.set", override["set"].get("options", {}))
        needless = [key for key in override["set"] if key in stages.NO_UPDATE]
        if needless and not any(stages.updates_weights(each["stage"]) for each in matching):
            raise StudyError(
                f"overrides.{index}.set: {', '.join(needless)} is for stages that update weights, "
                "of which none matches"
            )
        for settings in matching:
            overridden.setdefault(id(settings), {}).update(override["set"])
    for settings in configurations:
        name, override = settings["case"], overridden.get(id(settings), {})
        settings.update(copy.deepcopy(override))
        if "steps" not in override:
            case = {**of_cases[name], **override}
            settings["steps"] = steps.of_case(f"cases.{name}", case, settings["batch_size"])
        if override:
            cases.check_case(name, settings, [settings["stage"]])


def exclusions(
    configurations: list[dict[str, Any]], exclude: list[dict[str, Any]]
) -> list[str | None]:
    """Why each configuration is not run, or None: what the study excludes, or a stage can't do."""
    reasons: dict[int, str] = {}
    for index, entry in enumerate(exclude):
        for settings in _matching(configurations, entry["where"], f"exclude.{index}.where"):
            reasons[id(settings)] = entry["reason"]
    return [reasons.get(id(settings)) or stages.why_not(settings) for settings in configurations]


def _matching(
    configurations: list[dict[str, Any]], where: Mapping[str, Any], position: str
) -> list[dict[str, Any]]:
    matching = [
        settings
        for settings in configurations
        if all(settings[key] == value for key, value in where.items())
    ]
    if not matching:
        raise StudyError(f"{position}: {json.dumps(dict(where))} matches no configuration")
    return matching
