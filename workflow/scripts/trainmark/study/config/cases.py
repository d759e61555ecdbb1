"""Checks of a study's cases beyond the schema; each error says where and what is allowed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy

from trainmark.errors import TrainmarkError, unknown
from trainmark.study import datasets, plugins, stages, steps
from trainmark.study.arithmetic import built_network
from trainmark.study.config.errors import StudyError
from trainmark.study.datasets import DataSetFacts
from worker import devices, networks
from worker.input.dataset import SHORT_SIDE
from worker.networks.neutral.builder import Network
from worker.networks.neutral.shapes import TooSmall, WrongShape
from worker.networks.neutral.update_rule import of_settings

LEAST_RATE = float(numpy.finfo(numpy.float32).tiny)
RAW_PIXELS = {"mean": "none"}
"""The rule that leaves pixels as stored."""
MAY_DIFFER = ("seed", "frameworks")
"""Keys that may differ between cases of one default setting."""


def check_case(name: str, settings: Mapping[str, Any], requested: Sequence[str]) -> None:
    """Check a case: network, data set, batch, warm-up, evaluations, pixels and update fit.

    `requested` are the stages in which it is measured.
    """
    where = f"cases.{name}"
    facts = _facts(where, settings)
    if stages.GENERATION in requested:
        _check_generation(where, settings)
    if ("batch_size" in settings) == ("batch_sizes" in settings):
        raise StudyError(f"{where}: give either batch_size or batch_sizes")
    _check_settling(where, settings)
    sizes = settings.get("batch_sizes") or [settings["batch_size"]]
    training_steps = settings["warmup_steps"] + steps.of_case(where, settings, min(sizes))
    network = _network(where, settings["network"], facts)
    _check_pixels(where, settings, facts)
    if any(map(stages.updates_weights, requested)):
        _check_window(where, settings)
        _check_evaluations(where, settings, training_steps, facts.classes)
        _check_update(where, settings, network, training_steps)


def _facts(where: str, settings: Mapping[str, Any]) -> DataSetFacts:
    """The facts of the data set at the case's image size; refuses an unknown network, too."""
    try:
        facts = datasets.facts(settings["dataset"])
        if "image_shape" in settings:  # of a configuration, which is sized already
            facts = replace(facts, image_shape=tuple(settings["image_shape"]))
        else:
            facts = facts.sized(settings.get("image_size"))
        plugins.path("network", settings["network"])
    except TrainmarkError as error:
        raise StudyError(f"{where}: {error}") from None
    side, crop = facts.short_side or SHORT_SIDE, max(facts.image_shape[1:])
    if facts.encoded and crop > side:
        raise StudyError(
            f"{where}: images of {settings['dataset']} are cropped from a shorter side of {side}, "
            f"too small for {crop}; choose a smaller image_size, or a larger number behind -short"
        )
    return facts


def _check_settling(where: str, settings: Mapping[str, Any]) -> None:
    least, limit = settings["warmup_seconds"], settings["warmup_limit_seconds"]
    if 0 < limit < least:
        raise StudyError(
            f"{where}: warmup_seconds {least} is longer than warmup_limit_seconds {limit}"
        )


def check_optimiser(name: str, case: Mapping[str, Any], requested: Sequence[str]) -> None:
    """Check that a case has the optimiser's settings if, and only if, a stage updates weights.

    `case` is the study's entry, without defaults; `requested` are the study's stages.
    """
    updating = [stage for stage in requested if stages.updates_weights(stage)]
    if updating and "learning_rate" not in case:
        raise StudyError(f"cases.{name}: learning_rate is missing, which {updating[0]} needs")
    needless = [key for key in stages.NO_UPDATE if key in case]
    if needless and not updating:
        raise StudyError(
            f"cases.{name}: no stage of the study updates weights, which {', '.join(needless)} "
            f"{'is' if len(needless) == 1 else 'are'} for: leave out, or request stage train"
        )


def check_batch(settings: Mapping[str, Any]) -> None:
    """Check that the batch is at most the images that it is of, and divisible by the devices.

    Predictions are of test images. Input mode synthetic reads none, and attacks fill their last
    batch up.
    """
    where, batch_size = f"cases.{settings['case']}", settings["batch_size"]
    _, device_count = devices.parts(settings["device"])
    facts = datasets.facts(settings["dataset"])
    is_of_test = settings["stage"] == "infer"
    kind, count = ("test", facts.test_count) if is_of_test else ("training", facts.train_count)
    reads_batches = settings["input_mode"] != "synthetic" and settings["stage"] != stages.ATTACK
    if reads_batches and count is not None and batch_size > count:
        raise StudyError(
            f"{where}: batch_size {batch_size} is larger than the {count} {kind} images of "
            f"{settings['dataset']}, on {settings['device']}"
        )
    if batch_size % device_count:
        raise StudyError(
            f"{where}: batch_size {batch_size} is not divisible by the {device_count} devices of "
            f"{settings['device']}; choose another, `scaling: weak` for a batch of this size on "
            "each, or leave these configurations out by `exclude`"
        )


def check_order(settings: Mapping[str, Any]) -> None:
    """Check that a configuration whose images are shuffled reads each epoch anew."""
    if settings["shuffle"] and settings["input_mode"] == "cached":
        raise StudyError(
            f"cases.{settings['case']}: shuffle gives each epoch a new order, but input mode "
            "cached repeats one epoch's batches; set shuffle to false, or leave these "
            "configurations out by `exclude`"
        )


def check_named_frameworks(
    cases: Mapping[str, Any], frameworks: Sequence[Mapping[str, Any]]
) -> None:
    """Check that a case's `frameworks` are the study's, and that its `default_of` is known."""
    names = [framework["framework"] for framework in frameworks]
    known = sorted({*names, *plugins.names("framework")})
    for case, settings in cases.items():
        for name in settings.get("frameworks", []):
            if name not in names:
                raise StudyError(
                    f"cases.{case}.frameworks: {name} is no framework of the study; they are "
                    f"{', '.join(names)}"
                )
        if "default_of" in settings and (name := settings["default_of"]) not in known:
            raise StudyError(f"cases.{case}.default_of: {unknown('framework', name, known)}")


def check_default_settings(cases: Mapping[str, Mapping[str, Any]]) -> None:
    """Check that cases of one default setting differ in MAY_DIFFER alone: runs are combined."""
    first: dict[tuple[str, str, str], str] = {}
    for name, settings in cases.items():
        if "default_of" not in settings:
            continue
        owner, network = settings["default_of"], settings["network"]
        dataset = datasets.origin(settings["dataset"])
        other = first.setdefault((owner, network, dataset), name)
        if keys := _differing(settings, cases[other]):
            raise StudyError(
                f"cases.{name}: {owner}'s default of {network} on {dataset} is the case {other}, "
                f"which differs in {', '.join(keys)}; leave default_of out of one of them"
            )


def _check_generation(where: str, settings: Mapping[str, Any]) -> None:
    """Check that a case of stage generate has a language model, and a prompt before its steps."""
    network = settings["network"]
    if not networks.is_language_model(network):
        raise StudyError(f"{where}: stage generate needs a language model; {network} is none")
    tokens, count = datasets.facts(settings["dataset"]).image_shape[-1], settings.get("steps", 0)
    if not 1 < count < tokens:
        raise StudyError(
            f"{where}: stage generate generates `steps` tokens of a text's {tokens}, those behind "
            f"its prompt: set steps to 2 to {tokens - 1}"
        )


def _check_window(where: str, settings: Mapping[str, Any]) -> None:
    """Check that a training whose steps depend on its speed isn't evaluated."""
    if settings["window_seconds"] and settings["evaluate"]:
        raise StudyError(
            f"{where}: with window_seconds each framework trains for a number of steps of its own, "
            "so their accuracy can't be compared; set evaluate to false, or raise steps instead"
        )


def _check_evaluations(where: str, settings: Mapping[str, Any], steps: int, classes: int) -> None:
    """Check a case's evaluations; `steps` is the largest number of steps that it trains."""
    every = settings["evaluate_every"]
    if every > steps:
        raise StudyError(
            f"{where}: evaluate_every {every} is more than the {steps} steps of the training; "
            "choose a smaller one"
        )
    target = settings.get("target_accuracy")
    if target is not None and target <= 100 / classes:
        raise StudyError(
            f"{where}: target_accuracy {target} is in percent, of which guessing among {classes} "
            f"classes gives {100 / classes:g}; choose a larger one"
        )
    if target is not None and not every:
        raise StudyError(
            f"{where}: target_accuracy needs evaluate_every, the steps from one evaluation to the "
            "next"
        )


def _check_pixels(where: str, settings: Mapping[str, Any], facts: DataSetFacts) -> None:
    """Check that the rule for pixels and the augmentation fit the images."""
    rule, augment = settings["pixels"], settings["augment"]
    reads_text = networks.reads_text(settings["network"])
    if reads_text and (facts.encoded or rule != RAW_PIXELS or augment):
        raise StudyError(
            f"{where}: {settings['network']} reads text: it needs pixels: {{mean: none}}, no "
            "augment, and a data set of text, such as sentences, or of stored pixels"
        )
    if reads_text and settings["corruptions"]:
        raise StudyError(f"{where}: corruptions are of images; {settings['network']} reads text")
    if facts.encoded and (rule or augment or settings["shuffle"]):
        raise StudyError(
            f"{where}: pixels, augment and shuffle are for stored pixels; {facts.name} has image "
            "files, which their readers crop, mirror and normalise"
        )
    if "standardise" in rule and len(rule) > 1:
        raise StudyError(f"{where}: pixels: standardise goes without mean and divisor")
    if "crop" in augment and "image_size" not in settings and "image_shape" not in settings:
        raise StudyError(f"{where}: augment: crop needs image_size, the side of what is cropped")


def _check_update(where: str, settings: Mapping[str, Any], network: Network, steps: int) -> None:
    """Check that the settings of a case's update fit each other, the network and the steps."""
    if settings["optimiser"] == "adam" and settings["momentum"]:
        raise StudyError(f"{where}: momentum is of sgd; adam has its own two: leave it out")
    _check_schedule(where, settings, steps - 1)
    decay = settings["weight_decay"]
    trained = [weight.name for weight in network.trainable]
    for name in decay if isinstance(decay, dict) else ():
        if name not in trained:
            raise StudyError(
                f"{where}: weight_decay names {name}, which is no trained tensor of "
                f"{settings['network']}; they are {', '.join(trained)}"
            )


def _check_schedule(where: str, settings: Mapping[str, Any], last: int) -> None:
    """Check the schedule; at the last step, float32 must be able to represent the rate."""
    steps = settings["schedule"].get("steps")
    if steps and ("at" in steps) == ("every" in steps):
        raise StudyError(f"{where}: schedule.steps: give either at or every")
    if steps and steps.get("at", []) != sorted(steps.get("at", [])):
        raise StudyError(f"{where}: schedule.steps.at: put the steps in ascending order")
    # Prediction has no learning rate.
    update_rule = of_settings({"learning_rate": 1.0, **settings})
    if update_rule.rate(last) < LEAST_RATE:
        raise StudyError(
            f"{where}: schedule: the learning rate is 0 at the last step, {last}; choose a larger "
            "factor, or later steps"
        )


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    keys = sorted({*one, *other} - set(MAY_DIFFER))
    return [key for key in keys if one.get(key) != other.get(key)]


def _network(where: str, name: str, facts: DataSetFacts) -> Network:
    try:
        return built_network(name, facts.image_shape, facts.classes)
    except TooSmall as error:
        raise StudyError(
            f"{where}: the images of {facts.name} are too small for {name}: {error}"
        ) from None
    except WrongShape as error:
        raise StudyError(f"{where}: network {name} can't be built: {error}") from None
