"""The axes of a study: the settings besides framework and case by which configurations differ.

The plan, the runs' folders, the schemas, measurements, tables, figures and comparisons take the
axes, their defaults and their values from this list.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from trainmark.study import plugins
from worker import devices, precisions

GPU, *OTHER_GPUS = devices.GPUS


class Axis(NamedTuple):
    """One axis.

    Attributes:
        name: the setting's name in a configuration, a job and a table.
        key: the study's key that lists the requested values.
        values: JSON Schema of one value; its title describes a value.
        default: the values for a study that lists none.
        description: the documentation for authors of studies, in Markdown.
        separator: the text before the value in the path of a run.
        is_in_case: whether the value is part of the case's folder; the default value then has no
            part in the path.
        entry: for a key that is a mapping from values to settings, not a list of values: the
            reference to the schema of these settings.
        is_host_only: whether only the host uses it, no worker. A run with its default value has the
            same parameters as a run from before the axis was added.

    """

    name: str
    key: str
    values: Mapping[str, Any]
    default: tuple[str, ...]
    description: str
    separator: str = "/"
    is_in_case: bool = False
    entry: str | None = None
    is_host_only: bool = False


AXES = (
    Axis(
        name="device",
        key="devices",
        values={
            "type": "string",
            "title": f"a device: cpu, {GPU}:<number of GPUs>, cpu:<parts> to try several devices "
            f"without GPUs, or {GPU}:<nodes>x<GPUs of each> on two nodes or more; "
            f"{' and '.join(OTHER_GPUS)} as {GPU}",
            "pattern": devices.PATTERN,
        },
        default=("cpu",),
        description="`cpu`, `cuda:<GPUs>`, `cuda:<nodes>x<GPUs>`, `rocm:<GPUs>`; `cpu:<parts>` and "
        "`cpu:<nodes>x1`, to try several without GPUs ([several devices](../method/devices.md))",
    ),
    Axis(
        name="precision",
        key="precisions",
        values={"enum": ["float32", "tf32", "float16", "bfloat16", *precisions.QUANTISED]},
        default=("float32",),
        description="`float32`, `tf32`, `bfloat16`, `float16` "
        "([precisions](../method/precision.md)); of runtimes also `int8-weights`, `int8-dynamic`, "
        "`int8-static` ([forms](../method/runtimes.md#models-and-forms))",
    ),
    Axis(
        name="stage",
        key="stages",
        values={"enum": plugins.names("stage")},
        default=("train",),
        description="`train`: whole steps; `gradients`: without the update; `infer`: prediction; "
        "`generate`: a [language model's tokens](../method/clock.md#generation); "
        "`attack`: attacks on trained weights",
    ),
    Axis(
        name="input_mode",
        key="input_modes",
        values={"enum": ["dataset", "cached", "synthetic"]},
        default=("dataset",),
        description="`dataset`: decoded while training; `cached`: decoded once, kept in memory; "
        "`synthetic`: one random batch on the device",
        separator="-",
    ),
    Axis(
        name="thread_count",
        key="threads",
        values={
            "type": ["string", "integer"],
            "title": "all, or a number of threads",
            "pattern": "^all$",
            "minimum": 1,
            "maximum": 8192,
        },
        default=("all",),
        description="CPU threads of each framework: `all` (those of `machine.threads`), or "
        "a number",
        separator="-t",
        is_in_case=True,
    ),
    Axis(
        name="machine_name",
        key="machines",
        values={"$ref": "#/$defs/name"},
        default=("default",),
        description="machines by name, with [what each is]"
        "(../guides/several-machines.md#several-machines); by default one, `default`",
        separator="@",
        is_in_case=True,
        entry="#/$defs/named_machine",
        is_host_only=True,
    ),
)
NAMES = tuple(axis.name for axis in AXES)
DEFAULTS = {axis.name: axis.default[0] for axis in AXES}
"""The default value of each axis, for results without axes of their own."""
HOST_DEFAULTS = {axis.name: axis.default[0] for axis in AXES if axis.is_host_only}
"""The default values of axes that only the host uses, for results older than these axes."""
FOLDER = "{case}/{framework}" + "".join(
    f"{axis.separator}{{{axis.name}}}" for axis in AXES if not axis.is_in_case
)
"""A configuration's folder below results/<study>/runs."""

KEY = ("case", "framework", *NAMES, "batch_size")
"""The settings that identify a configuration within its study."""
CONFIGURATION = (
    "study",
    "case",
    "dataset",
    "network",
    "framework",
    "adapter",
    "environment",
    *NAMES,
    "batch_size",
)
"""The columns of measurements and tables that describe a configuration."""
ALL_BUT_FRAMEWORK = tuple(
    name for name in CONFIGURATION if name not in ("framework", "adapter", "environment")
)
"""The settings that configurations of different frameworks share when they are compared."""
VARIANTS = tuple(name for name in ALL_BUT_FRAMEWORK if name not in ("study", "case"))
"""The settings that may differ between configurations of one framework and case."""


def case_ending(settings: Mapping[str, Any]) -> str:
    """The ending of a case's folder: the configuration's values of the axes in that folder."""
    values = [(axis, settings[axis.name]) for axis in AXES if axis.is_in_case]
    return "".join(f"{axis.separator}{value}" for axis, value in values if value != axis.default[0])


def requested(config: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The values of each axis that a complete study requests."""
    return (list(config[axis.key]) or list(axis.default) for axis in AXES)


def combinations(config: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Each combination of the values that a complete study requests, by the axes' names."""
    return (
        dict(zip(NAMES, values, strict=True)) for values in itertools.product(*requested(config))
    )


def without_host_defaults(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a run depends on."""
    defaults = HOST_DEFAULTS.items()
    return {name: value for name, value in settings.items() if (name, value) not in defaults}


def key(settings: Mapping[Any, Any]) -> tuple[str, ...]:
    """The key of a configuration, unique within its study; the study's name isn't part of it."""
    values = {**HOST_DEFAULTS, **settings}
    return tuple(str(values[name]) for name in KEY)


def value_schemas() -> dict[str, Any]:
    """The JSON Schema of a value of each axis, by its name."""
    return {axis.name: dict(axis.values) for axis in AXES}


def list_schemas() -> dict[str, Any]:
    """The JSON Schema of the values that a study requests, by the axis's key."""
    return {axis.key: {"description": axis.description, **_list_schema(axis)} for axis in AXES}


def _list_schema(axis: Axis) -> dict[str, Any]:
    if axis.entry:
        of_each = {"propertyNames": dict(axis.values), "additionalProperties": {"$ref": axis.entry}}
        return {"default": {}, "type": "object", **of_each}
    several = {"minItems": 1, "uniqueItems": True, "items": dict(axis.values)}
    return {"default": list(axis.default), "type": "array", **several}


def values(name: str) -> list[str]:
    """The values of an axis whose schema lists them (enum), in that order."""
    choices: Iterable[str] = value_schemas()[name]["enum"]
    return list(choices)
