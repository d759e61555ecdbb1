"""The schemas in workflow/schemas, with the axes and the settings in them, and their defaults."""

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from trainmark.study import axes, case_settings

DEFINITIONS = "#/$defs/"
Schemas = dict[str, Any]

TABLES: Mapping[str, Mapping[str, Callable[[], Schemas]]] = {
    "$axes": {"values": axes.value_schemas, "lists": axes.list_schemas},
    "$settings": {"job": case_settings.job_schemas, "changes": case_settings.override_schemas},
}
"""Schemas that replace such an entry of a schema's properties, as `"$axes": "lists"`."""

NAMES: Mapping[str, Sequence[str]] = {"$axes": axes.NAMES, "$settings": case_settings.IN_JOB}
"""Names that replace such a name in a list."""


@cache
def load(name: str) -> Schemas:
    """The schema <name>.schema.json, complete in itself; not to be changed.

    Values that config.schema.json defines are written out in the others.
    """
    text = (case_settings.SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")
    schema: Schemas = _with_tables(json.loads(text))
    return schema if name == "config" else _written_out(schema)


def without_nulls(config: Mapping[str, Any]) -> dict[str, Any]:
    """The study without the keys whose value is null, by which one file takes back another's."""
    values = {key: value for key, value in config.items() if value is not None}
    return {
        key: without_nulls(value) if isinstance(value, Mapping) else value
        for key, value in values.items()
    }


def complete(config: Mapping[str, Any]) -> dict[str, Any]:
    """A valid study with the defaults of all settings that it leaves out or takes back."""
    return _complete(without_nulls(config), load("config"))


def resolved(part: Mapping[str, Any]) -> Schemas:
    """A part of the config schema, with the definition that it refers to."""
    if not part.get("$ref", "").startswith(DEFINITIONS):
        return dict(part)
    definition = load("config")["$defs"][part["$ref"].removeprefix(DEFINITIONS)]
    return {**definition, **{key: rule for key, rule in part.items() if key != "$ref"}}


def _with_tables(node: Any) -> Any:
    if isinstance(node, list):
        return [name for each in node for name in _names(each)]
    if not isinstance(node, dict):
        return node
    parts: Schemas = {}
    for key, value in node.items():
        parts |= TABLES[key][value]() if key in TABLES else {key: _with_tables(value)}
    return parts


def _names(node: Any) -> Sequence[Any]:
    return NAMES[node] if isinstance(node, str) and node in NAMES else [_with_tables(node)]


def _written_out(node: Any) -> Any:
    if isinstance(node, list):
        return [_written_out(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {key: _written_out(value) for key, value in resolved(node).items()}


def _complete(values: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """An object with the defaults of its properties, and of the objects among them."""
    completed = dict(values)
    for name, part in schema.get("properties", {}).items():
        if name not in completed and "default" in part:
            completed[name] = copy.deepcopy(part["default"])
    for name, value in completed.items():
        part = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
        if isinstance(value, dict) and isinstance(part, dict):
            completed[name] = _complete(value, resolved(part))
    return completed
