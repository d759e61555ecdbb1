"""Refusing a study that can't be measured, in one line that says where and what is allowed."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from trainmark.errors import TrainmarkError
from trainmark.study import datasets, plugins
from worker import networks
from worker.network import TooSmall

SCHEMA = plugins.SCRIPTS.parent / "schemas" / "config.schema.json"


class StudyError(TrainmarkError):
    """A study that asks for something that isn't there or can't be."""


def check_shape(config: Mapping[str, Any]) -> None:
    """Hold a study against its closed schema; raises StudyError for the most telling violation."""
    error = best_match(_validator().iter_errors(config))
    if error is not None:
        raise StudyError(_describe(error))


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def _describe(error: ValidationError) -> str:
    place = ".".join(str(step) for step in error.absolute_path) or "the study"
    schema = error.schema if isinstance(error.schema, dict) else {}
    if error.validator == "additionalProperties":
        known = sorted(schema["properties"])
        given = error.instance if isinstance(error.instance, dict) else {}
        unknown = ", ".join(sorted(str(key) for key in given if key not in known))
        return f"{place}: unknown key {unknown}; known keys: {', '.join(known)}"
    if error.validator == "pattern":
        return f"{place}: {error.instance!r} is not {schema['description']}"
    return f"{place}: {error.message}"


def check_framework(framework: str, adapter: str, environment: str, environments: Path) -> None:
    """The adapter and the environment file of one framework exist."""
    plugins.path("framework", adapter)
    if not (environments / f"{environment}.yaml").is_file():
        known = ", ".join(sorted(path.stem for path in environments.glob("*.yaml")))
        raise StudyError(
            f"frameworks: {framework}: unknown environment '{environment}'; known: {known}"
        )


def check_case(name: str, settings: Mapping[str, Any]) -> None:
    """The network fits the data set's images and a batch fits into its training images."""
    where = f"cases.{name}"
    try:
        facts = datasets.facts(settings["dataset"])
        plugins.path("network", settings["network"])
    except TrainmarkError as error:
        raise StudyError(f"{where}: {error}") from None
    if settings["batch_size"] > facts.train_count:
        raise StudyError(
            f"{where}: batch_size {settings['batch_size']} is larger than the "
            f"{facts.train_count} training images of {settings['dataset']}"
        )
    reason = _why_too_small(settings["network"], facts.image_shape)
    if reason is not None:
        raise StudyError(
            f"{where}: the images of {settings['dataset']} are too small for "
            f"{settings['network']}: {reason}"
        )


@cache
def _why_too_small(network: str, image_shape: tuple[int, int, int]) -> str | None:
    try:
        networks.build(network, image_shape, classes=1)
    except TooSmall as error:
        return str(error)
    return None
