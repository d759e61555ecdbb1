"""The configurations of a study: its cases with its frameworks at each combination of its axes."""

import copy
import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from trainmark.study import (
    axes,
    builds,
    case_settings,
    datasets,
    machines,
    plugins,
    releases,
    stages,
)
from worker import precisions


def frameworks_of(config: Mapping[str, Any], environments: Path) -> list[dict[str, Any]]:
    """The frameworks of a study, each with its adapter, environment and options."""
    entries = config["frameworks"]
    return [framework for entry in entries for framework in _of_entry(entry, environments)]


def configurations_of(
    config: Mapping[str, Any], frameworks: list[dict[str, Any]], environments: Path
) -> Iterator[dict[str, Any]]:
    """The settings of each case with each of its frameworks at each combination of the axes."""
    combinations = [each for each in axes.combinations(config) if machines.has(config, each)]
    common = {key: config[key] for key in ("study", "protocol", "seed")} | case_settings.ABSENT
    cases = [
        (case, {**settings, "batch_size": size})
        for case, settings in config["cases"].items()
        for size in settings.get("batch_sizes") or [settings["batch_size"]]
    ]
    for (case, settings), framework, values in itertools.product(cases, frameworks, combinations):
        if framework["framework"] not in settings.get("frameworks", [framework["framework"]]):
            continue
        if not _is_requested(settings, framework["adapter"], values):
            continue
        facts = datasets.facts(settings["dataset"])
        build = builds.for_device(values["device"], framework["environment"], environments)
        yield copy.deepcopy(
            common
            | {key: settings[key] for key in case_settings.IN_JOB if key in settings}
            | framework
            | values
            | {
                "case": case,
                "image_shape": list(facts.sized(settings.get("image_size")).image_shape),
                "classes": facts.classes,
                "environment": build,
            }
        )


def _of_entry(entry: str | Mapping[str, Any], environments: Path) -> list[dict[str, Any]]:
    """The framework of an entry, or one for each of its releases."""
    values = {"framework": entry} if isinstance(entry, str) else dict(entry)
    if "releases" not in values:
        return [_framework(values)]
    return [
        _framework(
            {
                **{key: value for key, value in values.items() if key != "releases"},
                "framework": f"{values['framework']}-{release.number}",
                "adapter": adapter,
                "environment": release.environment,
            }
        )
        for adapter, release in releases.requested(values, environments)
    ]


def _framework(values: dict[str, Any]) -> dict[str, Any]:
    adapter = values.get("adapter", values["framework"])
    environment = plugins.facts("framework", adapter).get("ENVIRONMENT", adapter)
    return {"adapter": adapter, "environment": environment, "options": {}} | values


def _is_requested(case: Mapping[str, Any], adapter: str, values: Mapping[str, str]) -> bool:
    """Whether the study has this configuration.

    Frameworks train, and runtimes quantise. Weights that other runs predict with are trained, and
    attacked, in float32 alone; other precisions are forms of them. A framework that can't be had
    has one row, not one for each precision.
    """
    stage, precision = values["stage"], values["precision"]
    if not stages.is_available(adapter) and precision != "float32":
        return False
    if stage == stages.ATTACK and (not case["attacks"] or precision != "float32"):
        return False
    if precision in precisions.QUANTISED and not stages.is_runtime(adapter):
        return False
    if "trained_by" in case and stages.updates_weights(stage) and precision != "float32":
        return False
    return stages.has(adapter, stage)
