"""From a study to the runs that it asks for: pure, and the same whatever the machine."""

import copy
import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainmark.study import bounds, builds, code, datasets, plugins, validation
from trainmark.study.validation import StudyError
from worker import devices

CASE_DEFAULTS = {
    "window_seconds": 0.0,
    "warmup_steps": 0,
    "warmup_seconds": 1.0,
    "warmup_limit_seconds": 10.0,
    "momentum": 0.0,
    "weight_decay": 0.0,
    "evaluate": True,
    "image_size": None,
}
AXES = {
    "devices": ["cpu"],
    "precisions": ["float32"],
    "stages": ["train"],
    "input_modes": ["dataset"],
}
TABLES = ["summary", "pairs", "parity"]
REFERENCE_SETTINGS = (
    "network",
    "image_shape",
    "classes",
    "learning_rate",
    "momentum",
    "weight_decay",
    "seed",
)


@dataclass(frozen=True)
class Run:
    """One repeat of a configuration.

    Attributes:
        settings: what defines the measurement, resolved; everything of a job that isn't the
            machine's.
        asked: those of them that the study's bounds cut, as the case asks for them.
        excluded: why the study leaves it out, or None.
        enough_percent: the interval that makes it unnecessary after the repeats before it, or None
            where it is measured in any case.

    """

    settings: dict[str, Any]
    asked: bounds.Asked
    excluded: str | None
    enough_percent: float | None = None

    @property
    def path(self) -> str:
        """Its folder below results/<study>/runs, unique within the study."""
        return "{case}/{framework}/{device}/{precision}/{stage}-{input_mode}/r{repeat}".format_map(
            self.settings
        )

    @property
    def earlier(self) -> list[str]:
        """The paths of the repeats that decide on it."""
        if self.enough_percent is None:
            return []
        folder = self.path.rpartition("/")[0]
        return [f"{folder}/r{repeat}" for repeat in range(1, self.settings["repeat"])]

    @property
    def params(self) -> str:
        """Its settings as one canonical JSON string: equal strings, equal runs."""
        return canonical(self.settings)

    @property
    def reads_data(self) -> bool:
        """Whether it looks at any image of its data set."""
        return bool(self.settings["input_mode"] != "synthetic" or self.settings["evaluate"])

    @property
    def loses_evaluation(self) -> bool:
        """Whether its case asks for an evaluation that the study's bounds forbid."""
        return "evaluate" in self.asked

    @property
    def format(self) -> str:
        """The storage format that its adapter reads."""
        return str(plugins.facts("framework", self.settings["adapter"])["FORMAT"])

    @property
    def code(self) -> str:
        """A digest of the worker's files that it executes."""
        return code.of_run(**{name: self.settings[name] for name in code.RUN_SETTINGS})

    @property
    def reference_code(self) -> str:
        """A digest of the worker's files that compute its parity reference."""
        return code.of_reference(self.settings["network"])

    @property
    def reference_params(self) -> str:
        """What its parity reference depends on, as canonical JSON."""
        size = devices.batch_size(self.settings["batch_size"], self.settings["device"])
        of_a_device = {"device": "cpu", "batch_size": size}
        return canonical({key: self.settings[key] for key in REFERENCE_SETTINGS} | of_a_device)

    @property
    def reference(self) -> str:
        """The name of its parity reference: readable, and unique by a digest."""
        shape = "x".join(str(size) for size in self.settings["image_shape"])
        digest = hashlib.sha256(self.reference_params.encode()).hexdigest()[:8]
        return f"{self.settings['network']}-{shape}-{self.settings['classes']}-{digest}"


@dataclass(frozen=True)
class Plan:
    """All runs of a study, by their path."""

    study: str
    repeats: int
    runs: dict[str, Run]
    cases: list[str]
    tables: list[str]
    charts: list[str]
    """Metrics of which each case has a chart of its own."""
    note: str
    """What stands below each table and figure, or nothing."""


def canonical(value: Any) -> str:
    """JSON with sorted keys and no white space."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def make(config: Mapping[str, Any], environments: Path) -> Plan:
    """Validate a study and expand it; `environments` is the folder of environment files.

    Raises StudyError (or UnknownPlugin) with one line that says where and what is allowed.
    """
    validation.check_shape(config)
    validation.check_count(config, AXES)
    validation.check_enough(config)
    validation.check_report(config)
    validation.check_machine(config.get("machine", {}), environments)
    frameworks = [_framework(entry) for entry in config["frameworks"]]
    validation.check_unique(frameworks)
    for framework in frameworks:
        plain = {key: framework[key] for key in ("framework", "adapter", "environment")}
        validation.check_framework(**plain, environments=environments)
    cases = {name: CASE_DEFAULTS | settings for name, settings in config["cases"].items()}
    for name, settings in cases.items():
        validation.check_case(name, settings)
    configurations = list(_configurations(config, cases, frameworks, environments))
    _override(configurations, config.get("overrides", []))
    limits = config.get("max_steps"), config.get("max_seconds")
    asked = [bounds.cut(settings, *limits) for settings in configurations]
    for settings in configurations:
        _spread(settings, config.get("scaling", "strong"))
    excluded = _exclusions(configurations, config.get("exclude", []))
    for settings, reason in zip(configurations, excluded, strict=True):
        if reason is None:
            validation.check_batch(settings)
    enough = config.get("enough", {"repeats": config["repeats"], "interval_percent": None})
    runs = [
        Run(
            {**settings, "repeat": repeat},
            asked_otherwise,
            reason,
            enough["interval_percent"] if repeat > enough["repeats"] else None,
        )
        for settings, asked_otherwise, reason in zip(configurations, asked, excluded, strict=True)
        for repeat in range(1, config["repeats"] + 1)
    ]
    return Plan(
        study=config["study"],
        repeats=config["repeats"],
        runs={run.path: run for run in runs},
        cases=list(cases),
        tables=config.get("tables", TABLES),
        charts=config.get("charts", []),
        note="\n".join(filter(None, [bounds.note(asked, *limits), _parts(configurations, config)])),
    )


def _parts(configurations: list[dict[str, Any]], config: Mapping[str, Any]) -> str:
    """What stands below each table and figure where data sets may be incomplete, else nothing."""
    meant = config.get("machine", {}).get("subset", [])
    names = dict.fromkeys(settings["dataset"] for settings in configurations)
    found = " and ".join(name for name in names if datasets.origin(name) in meant)
    return f"Trained on what was there of {found}, which may be a part." if found else ""


def _framework(entry: str | Mapping[str, Any]) -> dict[str, Any]:
    given = {"framework": entry} if isinstance(entry, str) else dict(entry)
    adapter = given.get("adapter", given["framework"])
    environment = plugins.facts("framework", adapter).get("ENVIRONMENT", adapter)
    return {"adapter": adapter, "environment": environment, "options": {}} | given


def _configurations(
    config: Mapping[str, Any],
    cases: Mapping[str, dict[str, Any]],
    frameworks: list[dict[str, Any]],
    environments: Path,
) -> Iterator[dict[str, Any]]:
    axes = [config.get(axis, default) for axis, default in AXES.items()]
    common = {key: config[key] for key in ("study", "protocol", "seed")}
    for (case, settings), framework, *point in itertools.product(cases.items(), frameworks, *axes):
        facts = datasets.facts(settings["dataset"])
        device, precision, stage, input_mode = point
        yield copy.deepcopy(
            common
            | {key: value for key, value in settings.items() if key != "image_size"}
            | framework
            | {
                "case": case,
                "image_shape": list(facts.sized(settings["image_size"]).image_shape),
                "classes": facts.classes,
                "device": device,
                "environment": builds.for_device(device, framework["environment"], environments),
                "precision": precision,
                "stage": stage,
                "input_mode": input_mode,
            }
        )


def _override(configurations: list[dict[str, Any]], overrides: list[dict[str, Any]]) -> None:
    for index, override in enumerate(overrides):
        matching = _matching(configurations, override["where"], f"overrides.{index}.where")
        for settings in matching:
            settings.update(copy.deepcopy(override["set"]))
            validation.check_case(settings["case"], settings)


def _spread(settings: dict[str, Any], scaling: str) -> None:
    """Give each device its part of the batch, or in weak scaling a batch of its own."""
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
    return [reasons.get(id(settings)) for settings in configurations]


def _matching(
    configurations: list[dict[str, Any]], where: Mapping[str, Any], place: str
) -> list[dict[str, Any]]:
    found = [
        settings
        for settings in configurations
        if all(settings[key] == value for key, value in where.items())
    ]
    if not found:
        raise StudyError(f"{place}: {json.dumps(dict(where))} matches no configuration")
    return found
