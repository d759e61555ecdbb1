"""The plan of a study: the runs that it requests, whatever the machine."""

import copy
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    steps,
)
from trainmark.study.config import against_schema, cases, schemas, trainers, validation
from trainmark.study.config.errors import StudyError
from trainmark.study.planned_run import PlannedRun
from worker import devices, precisions


@dataclass(frozen=True)
class Plan:
    """All runs of a study.

    Attributes:
        config: the study, complete with its defaults.
        runs: the runs by their path below results/<study>/runs.
        trainers: by the path of a run that predicts with another run's weights, the other's path.
        attackers: by the path of a run that predicts another run's adversarial images, the
            other's path.
        note: the text below each table and figure, or an empty string.

    """

    config: dict[str, Any]
    runs: dict[str, PlannedRun]
    trainers: dict[str, str]
    attackers: dict[str, str]
    note: str

    @property
    def study(self) -> str:
        """The study's name."""
        return str(self.config["study"])

    def labels(self, run: PlannedRun) -> dict[str, Any]:
        """What the study says of a run that its worker doesn't see, without what it doesn't say."""
        case = self.config["cases"][run.settings["case"]]
        labels = {
            "loses_evaluation": run.loses_evaluation,
            "target_accuracy": case.get("target_accuracy"),
            "default_of": case.get("default_of"),
            "price": machines.settings(self.config, run.settings).get("price"),
        }
        return {name: value for name, value in labels.items() if value}

    @property
    def repeats(self) -> int:
        """The most runs of a configuration."""
        return int(self.config["repeats"])


def make(config: Mapping[str, Any], environments: Path) -> Plan:
    """Validate a study and expand it; `environments` is the folder of environment files.

    Raises StudyError (or UnknownPlugin) with one line that says where and what is allowed.
    """
    config = _complete(schemas.without_nulls(config), environments)
    frameworks = [
        each for entry in config["frameworks"] for each in _frameworks(entry, environments)
    ]
    validation.check_count(config, frameworks)
    validation.check_frameworks(frameworks, environments)
    adapters = [framework["adapter"] for framework in frameworks]
    validation.check_stages(config["stages"], frameworks)
    validation.check_precisions(config["precisions"], adapters)
    cases.check_named_frameworks(config["cases"], frameworks)
    trainers.check(config)
    cases.check_default_settings(config["cases"])
    configurations = list(_configurations(config, frameworks, environments))
    validation.check_configurations(configurations)
    _override(configurations, config["overrides"], config["cases"])
    for settings in configurations:
        settings.update(stages.settings_of(settings))
    _check_stages(configurations, config["stages"])
    limits = config.get("max_steps"), config.get("max_seconds")
    requested = [steps.cut(settings, *limits) for settings in configurations]
    for settings in configurations:
        _spread(settings, config["scaling"])
    runs = _by_path(_runs(config, configurations, requested))
    notes = steps.note(requested, *limits), _subset_note(configurations, config)
    others = trainers.of_runs(runs), trainers.attackers(runs)
    return Plan(config, runs, *others, "\n".join(filter(None, notes)))


def _complete(values: Mapping[str, Any], environments: Path) -> dict[str, Any]:
    """The study with its defaults, after all checks but those of its frameworks."""
    against_schema.check(values)
    config = schemas.complete(values)
    validation.check_enough(config)
    validation.check_report(config)
    validation.check_machines(config, environments)
    for name, settings in config["cases"].items():
        cases.check_case(name, settings, config["stages"])
        cases.check_optimiser(name, values["cases"][name], config["stages"])
    return config


def _runs(
    config: Mapping[str, Any],
    configurations: list[dict[str, Any]],
    requested: list[steps.Requested],
) -> Iterator[PlannedRun]:
    """Every repeat of every configuration.

    `requested` has, for each configuration, the requested values that the study's bounds cut.
    """
    excluded = _exclusions(configurations, config["exclude"])
    enough = config.get("enough", {"repeats": config["repeats"], "interval_percent": None})
    for settings, cut, reason in zip(configurations, requested, excluded, strict=True):
        if reason is None:
            cases.check_batch(settings)
        for repeat in range(1, config["repeats"] + 1):
            percent = enough["interval_percent"] if repeat > enough["repeats"] else None
            case = config["cases"][settings["case"]]
            seed = settings["seed"] + case["vary_seed"] * (repeat - 1)
            yield PlannedRun(
                settings={**settings, "repeat": repeat, "seed": seed},
                requested=cut,
                excluded=reason,
                enough_percent=percent,
                has_batches="batch_sizes" in case,
            )


def _by_path(runs: Iterator[PlannedRun]) -> dict[str, PlannedRun]:
    by_path: dict[str, PlannedRun] = {}
    for run in runs:
        if run.path in by_path:  # an override can make two batch sizes of a case equal
            raise StudyError(f"cases.{run.settings['case']}: two configurations are {run.path}")
        by_path[run.path] = run
    return by_path


def _subset_note(configurations: list[dict[str, Any]], config: Mapping[str, Any]) -> str:
    """The note below tables and figures where data sets may be incomplete, else nothing."""
    subset_origins = config["machine"]["subset"]
    names = dict.fromkeys(settings["dataset"] for settings in configurations)
    incomplete = " and ".join(name for name in names if datasets.origin(name) in subset_origins)
    return f"Trained on what was there of {incomplete}, which may be a part." if incomplete else ""


def _frameworks(entry: str | Mapping[str, Any], environments: Path) -> list[dict[str, Any]]:
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


def _configurations(
    config: Mapping[str, Any], frameworks: list[dict[str, Any]], environments: Path
) -> Iterator[dict[str, Any]]:
    points = [point for point in axes.points(config) if machines.has(config, point)]
    common = {key: config[key] for key in ("study", "protocol", "seed")} | case_settings.ABSENT
    cases = [
        (case, {**settings, "batch_size": size})
        for case, settings in config["cases"].items()
        for size in settings.get("batch_sizes") or [settings["batch_size"]]
    ]
    for (case, settings), framework, point in itertools.product(cases, frameworks, points):
        if framework["framework"] not in settings.get("frameworks", [framework["framework"]]):
            continue
        if not _is_requested(settings, framework["adapter"], point):
            continue
        facts = datasets.facts(settings["dataset"])
        build = builds.for_device(point["device"], framework["environment"], environments)
        yield copy.deepcopy(
            common
            | {key: settings[key] for key in case_settings.IN_JOB if key in settings}
            | framework
            | point
            | {
                "case": case,
                "image_shape": list(facts.sized(settings.get("image_size")).image_shape),
                "classes": facts.classes,
                "environment": build,
            }
        )


def _is_requested(case: Mapping[str, Any], adapter: str, point: Mapping[str, str]) -> bool:
    """Whether the study has this configuration.

    Frameworks train, and runtimes quantise. Weights that other runs predict with are trained, and
    attacked, in float32 alone; other precisions are forms of them. A framework that can't be had
    has one row, not one for each precision.
    """
    stage, precision = point["stage"], point["precision"]
    if not stages.can_be_had(adapter) and precision != "float32":
        return False
    if stage == stages.ATTACK and (not case["attacks"] or precision != "float32"):
        return False
    if precision in precisions.QUANTISED and not stages.is_runtime(adapter):
        return False
    if "trained_by" in case and stages.updates_weights(stage) and precision != "float32":
        return False
    return stages.has(adapter, stage)


def _override(
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


def _spread(settings: dict[str, Any], scaling: str) -> None:
    """In weak scaling, multiply the batch by the devices; else they share the case's batch."""
    if scaling == "weak":
        _, count = devices.parts(settings["device"])
        settings["batch_size"] *= count


def _exclusions(
    configurations: list[dict[str, Any]], exclude: list[dict[str, Any]]
) -> list[str | None]:
    reasons: dict[int, str] = {}
    for index, entry in enumerate(exclude):
        for settings in _matching(configurations, entry["where"], f"exclude.{index}.where"):
            reasons[id(settings)] = entry["reason"]
    return [reasons.get(id(settings)) or stages.why_not(settings) for settings in configurations]


def _check_stages(configurations: list[dict[str, Any]], requested: Sequence[str]) -> None:
    """Refuse a stage that no configuration can have."""
    for stage in requested:
        reasons = [stages.why_not(each) for each in configurations if each["stage"] == stage]
        if reasons and all(reasons):
            raise StudyError(f"stages: {reasons[0]}, which no configuration of the study has")


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
