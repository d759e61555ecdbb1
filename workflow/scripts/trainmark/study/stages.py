"""Facts of stages: the metric, whether weights are updated, and what is impossible."""

from collections.abc import Mapping
from typing import Any

from trainmark.study import case_settings, plugins
from worker import devices

ATTACK = "attack"
"""The stage that attacks trained networks."""
GENERATION = "generate"
"""The stage in which language models continue texts."""

NO_UPDATE = case_settings.unused(case_settings.UPDATES)
"""The settings of updates, with their values in stages that update no weights."""
UNCORRUPTED = case_settings.unused(case_settings.CORRUPTIONS)
"""The settings of corruptions, with their values in runs that predict no corrupted images."""
NO_ATTACK = case_settings.unused(case_settings.ATTACKS)
"""The settings of attacks, with their values in stages other than ATTACK."""


def main_metric(stage: str) -> str:
    """The main metric of a stage; raises UnknownPlugin."""
    return str(plugins.facts("stage", stage)["MAIN_METRIC"])


def updates_weights(stage: str) -> bool:
    """Whether a stage trains, so that it has an optimiser; raises UnknownPlugin."""
    return bool(plugins.facts("stage", stage)["UPDATES_WEIGHTS"])


def has(adapter: str, stage: str) -> bool:
    """Whether an adapter has a stage at all: a runtime only predicts; raises UnknownPlugin."""
    return stage in plugins.facts("framework", adapter).get("STAGES", [stage])


def is_runtime(adapter: str) -> bool:
    """Whether an adapter doesn't train; raises UnknownPlugin."""
    return not has(adapter, "train")


def is_available(adapter: str) -> bool:
    """Whether a framework can be measured: it has no UNAVAILABLE; raises UnknownPlugin."""
    return "UNAVAILABLE" not in plugins.facts("framework", adapter)


def settings_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration's settings, adapted to its stage; raises UnknownPlugin.

    A stage that updates no weights has no optimiser and keeps no weights. If it takes trained
    weights, it attacks them, or evaluates them on the test split and on images that attacks made.
    Corruptions are for runs whose weights others take, and for runs that evaluate such weights.
    """
    if settings["trained_by"] is None:
        settings = {**settings, **UNCORRUPTED}
    attacks = settings["stage"] == ATTACK
    stage_settings = settings if attacks else {**settings, **NO_ATTACK}
    if updates_weights(settings["stage"]):
        return {**stage_settings, "trained_by": None, "attacked_by": None}
    trainer = settings["trained_by"] if takes_trained(settings) else None
    predicts = trainer is not None and not attacks
    evaluates = settings["evaluate"] and predicts
    images = {} if evaluates else UNCORRUPTED
    attacked_by = settings["attacked_by"] or (trainer if settings["attacks"] else None)
    return {
        **stage_settings,
        **NO_UPDATE,
        **images,
        "trained_by": trainer,
        "attacked_by": attacked_by if predicts else None,
        "evaluate": evaluates,
        "keep_weights": False,
    }


def takes_trained(settings: Mapping[str, Any]) -> bool:
    """Whether a stage predicts with trained weights in an input mode; raises UnknownPlugin."""
    modes = plugins.facts("stage", settings["stage"]).get("TRAINED_INPUT_MODES", ())
    return settings["input_mode"] in modes


def why_not(settings: Mapping[str, Any]) -> str | None:
    """Why a stage can't be measured in a configuration, or None; raises UnknownPlugin."""
    stage = settings["stage"]
    modes = plugins.facts("stage", stage)["INPUT_MODES"]
    if not modes and settings["trained_by"] is None:
        return f"stage {stage} takes trained weights, and images of the data set"
    if settings["input_mode"] not in modes and settings["trained_by"] is None:
        return f"stage {stage} takes a batch from memory: input mode {' or '.join(modes)}"
    if not updates_weights(stage) and devices.parts(settings["device"])[1] > 1:
        return f"stage {stage} is measured on one device"
    return None


def higher_is_better(metric: str) -> bool:
    """Whether a higher value of a metric is the better one; raises UnknownPlugin."""
    return bool(plugins.facts("metric", metric)["HIGHER_IS_BETTER"])
