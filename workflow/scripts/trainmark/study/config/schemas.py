"""The schemas in workflow/schemas, with the axes in them, and the defaults that stand there."""

import copy
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from trainmark.study import axes, plugins

FOLDER = plugins.SCRIPTS.parent / "schemas"
AXES = "$axes"
"""In a schema's properties: the axes, `"$axes": "values"` or `"lists"`; among names: theirs."""


@cache
def load(name: str) -> dict[str, Any]:
    """The schema <name>.schema.json; not to be changed."""
    text = (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = _with_axes(json.loads(text))
    return schema


def given(config: Mapping[str, Any]) -> dict[str, Any]:
    """The study without the keys whose value is null, by which one file takes back another's."""
    values = {key: value for key, value in config.items() if value is not None}
    return {
        key: given(value) if isinstance(value, Mapping) else value for key, value in values.items()
    }


def complete(config: Mapping[str, Any]) -> dict[str, Any]:
    """A valid study with the defaults of all settings that it leaves out or takes back."""
    return _complete(given(config), load("config"))


def case_settings() -> list[str]:
    """The names of all settings of a case, in the order of the schema."""
    return list(load("config")["$defs"]["case"]["properties"])


def _with_axes(node: Any) -> Any:
    if isinstance(node, list):
        return [name for each in node for name in (axes.NAMES if each == AXES else [each])]
    if not isinstance(node, dict):
        return node
    found: dict[str, Any] = {}
    for key, value in node.items():
        if key == AXES:
            found |= axes.value_schemas() if value == "values" else axes.list_schemas()
        else:
            found[key] = _with_axes(value)
    return found


def _complete(settings: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in the defaults of an object's properties, and of the objects among them."""
    found = dict(settings)
    for name, part in schema.get("properties", {}).items():
        if name not in found and "default" in part:
            found[name] = copy.deepcopy(part["default"])
    for name, value in found.items():
        part = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
        if isinstance(value, dict) and isinstance(part, dict):
            found[name] = _complete(value, resolved(part))
    return found


def resolved(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part of the config schema, looked up where it stands under $defs."""
    if "$ref" not in part:
        return part
    definition: Mapping[str, Any] = load("config")["$defs"][part["$ref"].rpartition("/")[2]]
    return definition
