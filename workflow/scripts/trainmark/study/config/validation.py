"""What no schema can say of a study: refusing it in one line, where and what is allowed."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from operator import mul
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError
from trainmark.study import axes, datasets, machines, plugins, stages
from trainmark.study.config import evaluations, pixel_rules, shape, update_rules
from trainmark.study.config.errors import StudyError
from trainmark.study.steps import epochs
from worker import devices, networks
from worker.input.dataset import SHORT_SIDE
from worker.networks.neutral.builder import Network
from worker.networks.neutral.shapes import TooSmall, WrongShape

MOST_RUNS = 100_000
SPEED = "images/s"


def check_count(config: Mapping[str, Any]) -> None:
    """There are no more runs than can be planned."""
    points = math.prod(map(len, axes.requested(config)))
    cases = config["cases"].values()
    sizes = [len(case.get("batch_sizes", [None])) for case in cases]
    frameworks = [len(case.get("frameworks", config["frameworks"])) for case in cases]
    count = config["repeats"] * sum(map(mul, sizes, frameworks)) * points
    if count > MOST_RUNS:
        raise StudyError(
            f"the study: {count:,} runs, {config['repeats']:,} repeats of {sum(sizes)} "
            f"cases in {len(config['frameworks'])} frameworks on all axes; at most {MOST_RUNS:,}: "
            "lower repeats, or make several studies of it"
        )


def check_enough(config: Mapping[str, Any]) -> None:
    """There are more repeats than those that may be enough."""
    least = config.get("enough", {"repeats": 0})["repeats"]
    if least >= config["repeats"]:
        raise StudyError(
            f"enough.repeats: {least} must be below repeats ({config['repeats']}); "
            "repeats is the most there are"
        )


def check_report(config: Mapping[str, Any]) -> None:
    """The tables and the charts' metrics exist (UnknownPlugin), and have something to show."""
    for key, kind in (("tables", "table"), ("charts", "metric"), ("rankings", "metric")):
        for name in config[key]:
            plugins.path(kind, name)
    for name in config["tables"]:
        setting = plugins.facts("table", name).get("SETTING")
        if setting and not any(setting in case for case in config["cases"].values()):
            raise StudyError(f"tables: {name} would be empty: no case of the study has {setting}")
    for name in config["rankings"]:
        if (unit := plugins.facts("metric", name)["UNIT"]) != SPEED:
            raise StudyError(f"rankings: {name} is in {unit}; a ranking is of {SPEED}")


def check_machines(config: Mapping[str, Any], environments: Path) -> None:
    """Machines have the study's devices; data sets and environments under `machine` are there."""
    machines.check(config)
    machine = config["machine"]
    for key in ("mirrors", "subset"):
        for name in machine[key]:
            try:
                datasets.facts(name)
            except TrainmarkError as error:
                raise StudyError(f"machine.{key}: {error}") from None
            if name != (origin := datasets.origin(name)):
                raise StudyError(f"machine.{key}: name {origin}, which goes for {name} too")
    for name in machine["interpreters"]:
        check_environment("machine.interpreters", name, environments)


def check_frameworks(frameworks: Sequence[Mapping[str, Any]], environments: Path) -> None:
    """No two frameworks have the same name; their adapters and environment files exist."""
    adapters = {framework["framework"]: framework["adapter"] for framework in frameworks}
    if twice := shape.twice([framework["framework"] for framework in frameworks]):
        raise StudyError(
            f"frameworks: {', '.join(twice)} entered twice; give one a name of its own: "
            f"{{framework: {twice[0]}-again, adapter: {adapters[twice[0]]}}}"
        )
    for framework in frameworks:
        plugins.path("framework", framework["adapter"])
        place = f"frameworks: {framework['framework']}"
        check_environment(place, framework["environment"], environments)


def check_named_frameworks(
    cases: Mapping[str, Any], frameworks: Sequence[Mapping[str, Any]]
) -> None:
    """Cases are measured in frameworks of the study, and are the default of one that there is."""
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
            raise StudyError(
                f"cases.{case}.default_of: unknown framework '{name}'; known: {', '.join(known)}"
            )


def check_stages(requested: Sequence[str], frameworks: Sequence[Mapping[str, Any]]) -> None:
    """Each framework has some stage of the study: a runtime has no configurations in others."""
    for framework in frameworks:
        if not any(stages.has(framework["adapter"], stage) for stage in requested):
            known = plugins.facts("framework", framework["adapter"])["STAGES"]
            raise StudyError(
                f"frameworks: {framework['framework']} has stage {' and '.join(known)} only, of "
                "which the study asks for none"
            )


def check_precisions(requested: Sequence[str], adapters: Sequence[str]) -> None:
    """Some framework of the study computes in each precision, be it on another device."""
    known = set().union(*map(_precisions, adapters))
    for precision in requested:
        if precision not in known:
            names = ", ".join(sorted(known.intersection(axes.values("precision"))))
            raise StudyError(
                f"precisions: no framework of the study computes in {precision}; they do in {names}"
            )


def _precisions(adapter: str) -> set[str]:
    """Those that an adapter computes in; one that only takes another road has that one's."""
    facts = plugins.facts("framework", adapter)
    if "PRECISIONS" not in facts:
        return _precisions(facts["ENVIRONMENT"])
    return set().union(*facts["PRECISIONS"].values())


def check_environment(place: str, name: str, environments: Path) -> None:
    """An environment's file exists."""
    if not (environments / f"{name}.yaml").is_file():
        known = ", ".join(sorted(path.stem for path in environments.glob("*.yaml")))
        raise StudyError(f"{place}: unknown environment '{name}'; known: {known}")


def check_case(name: str, settings: Mapping[str, Any]) -> None:
    """The network fits the data set's images."""
    where = f"cases.{name}"
    try:
        facts = datasets.facts(settings["dataset"]).sized(settings.get("image_size"))
        plugins.path("network", settings["network"])
    except TrainmarkError as error:
        raise StudyError(f"{where}: {error}") from None
    side, crop = facts.short_side or SHORT_SIDE, max(facts.image_shape[1:])
    if facts.encoded and crop > side:
        raise StudyError(
            f"{where}: images of {settings['dataset']} are cropped from a shorter side of {side}, "
            f"too small for {crop}; choose a smaller image_size, or a larger number behind -short"
        )
    if ("batch_size" in settings) == ("batch_sizes" in settings):
        raise StudyError(f"{where}: give either batch_size or batch_sizes")
    sizes = settings.get("batch_sizes") or [settings["batch_size"]]
    most_steps = epochs.steps(where, settings, min(sizes))
    least, limit = settings["warmup_seconds"], settings["warmup_limit_seconds"]
    if 0 < limit < least:
        raise StudyError(
            f"{where}: warmup_seconds {least} is longer than warmup_limit_seconds {limit}"
        )
    training_steps = settings["warmup_steps"] + most_steps
    evaluations.check(where, settings, training_steps, facts.classes)
    network = _network(where, settings["network"], facts)
    pixel_rules.check(where, settings, facts)
    update_rules.check(where, settings, network, training_steps)


def check_optimiser(name: str, given: Mapping[str, Any], requested: Sequence[str]) -> None:
    """A case has the optimiser's settings where a stage updates weights, and only there.

    `given` is the case as the study has it, without defaults; `requested` are the study's stages.
    """
    updating = [stage for stage in requested if stages.updates_weights(stage)]
    if updating and "learning_rate" not in given:
        raise StudyError(f"cases.{name}: learning_rate is missing, which {updating[0]} needs")
    needless = [key for key in stages.NO_UPDATE if key in given]
    if needless and not updating:
        raise StudyError(
            f"cases.{name}: no stage of the study updates weights, which {', '.join(needless)} "
            f"{'is' if len(needless) == 1 else 'are'} for: leave out, or ask for stage train"
        )


def check_batch(settings: Mapping[str, Any]) -> None:
    """The batch of all devices fits into the training images, and divides evenly among them.

    In input mode synthetic none of these is trained on.
    """
    where, batch_size = f"cases.{settings['case']}", settings["batch_size"]
    _, device_count = devices.parts(settings["device"])
    count = datasets.facts(settings["dataset"]).train_count
    reads_training_images = settings["input_mode"] != "synthetic"
    if reads_training_images and count is not None and batch_size > count:
        raise StudyError(
            f"{where}: batch_size {batch_size} is larger than the {count} training images of "
            f"{settings['dataset']}, on {settings['device']}"
        )
    if batch_size % device_count:
        raise StudyError(
            f"{where}: batch_size {batch_size} is not divisible by the {device_count} devices of "
            f"{settings['device']}; choose another, `scaling: weak` for a batch of this size on "
            "each, or leave these configurations out by `exclude`"
        )


def _network(where: str, name: str, facts: datasets.DataSetFacts) -> Network:
    found = _built(name, facts.image_shape, facts.classes)
    if isinstance(found, TooSmall):
        raise StudyError(f"{where}: the images of {facts.name} are too small for {name}: {found}")
    if isinstance(found, WrongShape):
        raise StudyError(f"{where}: network {name} can't be built: {found}")
    return found


@cache
def _built(name: str, image_shape: tuple[int, int, int], classes: int) -> Network | WrongShape:
    """The network, or why there is none."""
    try:
        return networks.build(name, image_shape, classes)
    except WrongShape as error:
        return error
