"""The plan of a study: the runs that it requests, whatever the machine."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainmark.study import datasets, machines, overrides, stages, steps
from trainmark.study.config import against_schema, cases, schemas, trainers, validation
from trainmark.study.config.errors import StudyError
from trainmark.study.configurations import configurations_of, frameworks_of
from trainmark.study.planned_run import PlannedRun
from worker import devices


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
    frameworks = frameworks_of(config, environments)
    validation.check_count(config, frameworks)
    validation.check_frameworks(frameworks, environments)
    adapters = [framework["adapter"] for framework in frameworks]
    validation.check_stages(config["stages"], frameworks)
    validation.check_precisions(config["precisions"], adapters)
    cases.check_named_frameworks(config["cases"], frameworks)
    trainers.check(config)
    cases.check_default_settings(config["cases"])
    configurations = list(configurations_of(config, frameworks, environments))
    validation.check_configurations(configurations)
    overrides.apply(configurations, config["overrides"], config["cases"])
    for settings in configurations:
        settings.update(stages.settings_of(settings))
    _check_stages(configurations, config["stages"])
    limits = config.get("max_steps"), config.get("max_seconds")
    requested = [steps.cut(settings, *limits) for settings in configurations]
    for settings in configurations:
        _scale_batch(settings, config["scaling"])
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
    excluded = overrides.exclusions(configurations, config["exclude"])
    enough = config.get("enough", {"repeats": config["repeats"], "interval_percent": None})
    for settings, cut, reason in zip(configurations, requested, excluded, strict=True):
        if reason is None:
            cases.check_batch(settings)
            cases.check_order(settings)
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


def _scale_batch(settings: dict[str, Any], scaling: str) -> None:
    """In weak scaling, multiply the batch by the devices; else they share the case's batch."""
    if scaling == "weak":
        _, count = devices.parts(settings["device"])
        settings["batch_size"] *= count


def _check_stages(configurations: list[dict[str, Any]], requested: Sequence[str]) -> None:
    """Refuse a stage that no configuration can have."""
    for stage in requested:
        reasons = [stages.why_not(each) for each in configurations if each["stage"] == stage]
        if reasons and all(reasons):
            raise StudyError(f"stages: {reasons[0]}, which no configuration of the study has")
