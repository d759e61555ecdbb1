"""What a stage says of itself: its metric, whether it updates weights, and what it can't do."""

from collections.abc import Mapping
from typing import Any

from trainmark.study import plugins
from worker import devices

NO_UPDATE = {
    "optimiser": "sgd",
    "learning_rate": 0.0,
    "schedule": {},
    "bias_rate": 1.0,
    "momentum": 0.0,
    "weight_decay": 0.0,
    "evaluate_every": 0,
}
"""The settings that only stages which update weights have, as they are for the others."""


def main_metric(stage: str) -> str:
    """The metric of a stage that comes first; raises UnknownPlugin."""
    return str(plugins.facts("stage", stage)["MAIN_METRIC"])


def updates_weights(stage: str) -> bool:
    """Whether a stage trains, so that it has an optimiser; raises UnknownPlugin."""
    return bool(plugins.facts("stage", stage)["UPDATES_WEIGHTS"])


def has(adapter: str, stage: str) -> bool:
    """Whether an adapter has a stage at all: a runtime only predicts; raises UnknownPlugin."""
    return stage in plugins.facts("framework", adapter).get("STAGES", [stage])


def without_optimiser(settings: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration's settings for a stage that updates no weights and so evaluates nothing."""
    return {**settings, **NO_UPDATE, "evaluate": False}


def why_not(settings: Mapping[str, Any]) -> str | None:
    """Why a stage can't be measured in a configuration, or None; raises UnknownPlugin."""
    stage = settings["stage"]
    modes = plugins.facts("stage", stage)["INPUT_MODES"]
    if settings["input_mode"] not in modes:
        return f"stage {stage} takes a batch from memory: input mode {' or '.join(modes)}"
    if not updates_weights(stage) and devices.parts(settings["device"])[1] > 1:
        return f"stage {stage} is measured on one device"
    return None


def higher_is_better(metric: str) -> bool:
    """Whether a higher value of a metric is the better one; raises UnknownPlugin."""
    return bool(plugins.facts("metric", metric)["HIGHER_IS_BETTER"])
