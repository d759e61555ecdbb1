"""Checks of a whole study beyond the schema; each error says where and what is allowed."""

import math
from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError, unknown
from trainmark.study import axes, builds, charts, datasets, machines, plugins, releases, stages
from trainmark.study.config import against_schema
from trainmark.study.config.errors import StudyError
from worker.support import FOLD, PROCESSOR_HINTS

MOST_RUNS = 100_000


def check_count(config: Mapping[str, Any], frameworks: Sequence[Any]) -> None:
    """Refuse more runs than can be planned; `frameworks` are all, with each release."""
    points = math.prod(map(len, axes.requested(config)))
    cases = config["cases"].values()
    sizes = [len(case.get("batch_sizes", [None])) for case in cases]
    of_cases = [len(case.get("frameworks", frameworks)) for case in cases]
    count = config["repeats"] * sum(map(mul, sizes, of_cases)) * points
    if count > MOST_RUNS:
        raise StudyError(
            f"the study: {count:,} runs, {config['repeats']:,} repeats of {sum(sizes)} "
            f"cases in {len(frameworks)} frameworks on all axes; at most {MOST_RUNS:,}: "
            "lower repeats, or make several studies of it"
        )


def check_enough(config: Mapping[str, Any]) -> None:
    """Check that enough.repeats is below repeats."""
    least = config.get("enough", {"repeats": 0})["repeats"]
    if least >= config["repeats"]:
        raise StudyError(
            f"enough.repeats: {least} must be below repeats ({config['repeats']}); "
            "repeats is the most there are"
        )


def check_report(config: Mapping[str, Any]) -> None:
    """Check that all that the report names exists (UnknownPlugin), and no table is empty."""
    if "reproduces" in config:
        plugins.path("published study", config["reproduces"])
    for metric, style in charts.of(config):
        plugins.path("metric", metric)
        plugins.path("chart style", style)
    for name in config["tables"]:
        setting = plugins.facts("table", name).get("SETTING")
        if setting and not any(case.get(setting) for case in config["cases"].values()):
            raise StudyError(f"tables: {name} would be empty: no case of the study has {setting}")


def check_machines(config: Mapping[str, Any], environments: Path) -> None:
    """Check that machines have the study's devices; data sets and environments must exist."""
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
    """Check that names differ, and that options and environments exist."""
    entries = {framework["framework"]: framework for framework in frameworks}
    if twice := against_schema.twice([framework["framework"] for framework in frameworks]):
        raise StudyError(
            f"frameworks: {', '.join(twice)} entered twice; give one a name of its own: "
            f"{_renamed(entries[twice[0]])}"
        )
    for framework in frameworks:
        where = f"frameworks: {framework['framework']}"
        check_environment(where, framework["environment"], environments)
        check_options(where, framework["options"])


def check_options(where: str, options: Iterable[str]) -> None:
    """Refuse an option that no adapter has; a run whose adapter lacks it is `unsupported`."""
    for name in options:
        if name not in (known := _known_options()):
            raise StudyError(f"{where}: options: {unknown('option', name, known)}")


def _known_options() -> list[str]:
    facts = [plugins.facts("framework", name) for name in plugins.names("framework")]
    return sorted({FOLD, PROCESSOR_HINTS}.union(*(each.get("OPTIONS", {}) for each in facts)))


def check_stages(requested: Sequence[str], frameworks: Sequence[Mapping[str, Any]]) -> None:
    """Check that each framework has some stage of the study."""
    for framework in frameworks:
        if not any(stages.has(framework["adapter"], stage) for stage in requested):
            known = plugins.facts("framework", framework["adapter"])["STAGES"]
            raise StudyError(
                f"frameworks: {framework['framework']} has stage {' and '.join(known)} only, of "
                "which the study requests none"
            )


def check_configurations(configurations: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a study that has none."""
    if not configurations:
        raise StudyError("no case has a framework, a stage and a precision that go together")


def check_precisions(requested: Sequence[str], adapters: Sequence[str]) -> None:
    """Refuse a precision that no framework of the study computes in, on any device."""
    computed = set().union(*map(_precisions, adapters))
    for precision in requested:
        if precision not in computed:
            names = ", ".join(sorted(computed.intersection(axes.values("precision"))))
            raise StudyError(
                f"precisions: no framework of the study computes in {precision}; they do in {names}"
            )


def _precisions(adapter: str) -> set[str]:
    """The precisions that an adapter computes in; an own loop has those of its framework."""
    facts = plugins.facts("framework", adapter)
    if "PRECISIONS" not in facts:
        return _precisions(facts["ENVIRONMENT"])
    return set().union(*facts["PRECISIONS"].values())


def _renamed(entry: Mapping[str, Any]) -> str:
    """What to write for a framework, or for a release of one, under another name."""
    name, adapter, environment = (entry[key] for key in ("framework", "adapter", "environment"))
    release = builds.release(environment)
    if release is None:
        return f"{{framework: {name}-again, adapter: {adapter}}}"
    names = f"framework: {builds.plain(name)}-again, adapter: {adapter}"
    return f'{{{names}, environment: {builds.plain(environment)}, releases: ["{release}"]}}'


def check_environment(where: str, name: str, environments: Path) -> None:
    """Check that an environment's file exists."""
    if not (environments / f"{name}.yaml").is_file() and not releases.find(name, environments):
        known = sorted(path.stem for path in environments.glob("*.yaml"))
        raise StudyError(f"{where}: {unknown('environment', name, known)}")
