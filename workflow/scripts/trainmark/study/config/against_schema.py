"""Holding a study against its schema: its keys, and the types and ranges of their values."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.protocols import Validator

from trainmark.errors import with_hint
from trainmark.study.config import schemas
from trainmark.study.config.errors import StudyError, position

NUMBERS = {"integer": "a whole number", "number": "a number"}
"""JSON Schema's types of numbers, in words."""

SCIENTIFIC = re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d{1,3}")  # no more digits than can be shown


def check(content: Any, schema: str = "config") -> None:
    """Check a study or another file's content against its closed schema.

    Raises StudyError for the most telling violation.
    """
    error = best_match(_validator(schema).iter_errors(content))
    if error is not None:
        raise StudyError(_describe(error))


@cache
def _validator(schema: str) -> Validator:
    """JSON Schema takes 4.0 for an integer and NaN for a number: a study's values are stricter."""
    types = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {
            "integer": lambda _, value: type(value) is int,
            "number": lambda _, value: type(value) in (int, float) and math.isfinite(value),
        }
    )
    strict = validators.extend(Draft202012Validator, type_checker=types)
    validator: Validator = strict(schemas.load(schema))
    return validator


def _describe(error: ValidationError) -> str:
    where = position(error.absolute_path)
    schema = error.schema if isinstance(error.schema, dict) else {}
    if error.validator == "additionalProperties":
        keys = sorted(schema["properties"])
        values = error.instance if isinstance(error.instance, dict) else {}
        unknown = sorted(str(key) for key in values if key not in keys)
        hints = ", ".join(with_hint(key, keys) for key in unknown)
        return f"{where}: unknown key {hints}; known: {', '.join(keys)}"
    if error.validator in ("pattern", "anyOf", "type", "maximum") and "title" in schema:
        return f"{where}: {error.instance!r} is not {schema['title']}"
    if error.validator == "type" and (wanted := NUMBERS.get(str(error.validator_value))):
        return f"{where}: {error.instance!r} is not {wanted}{_hint(error.instance)}"
    if error.validator == "exclusiveMinimum":
        return f"{where}: {error.instance!r} is not above {error.validator_value}"
    if error.validator == "maxLength" and isinstance(error.instance, str):
        most = error.validator_value
        return f"{where}: a name of {len(error.instance)} characters; at most {most}"
    if error.validator == "not":
        return f"{where}: {error.instance!r} is the name of another folder of results/"
    if error.validator == "uniqueItems" and isinstance(error.instance, list):
        return f"{where}: {', '.join(twice(error.instance))} entered twice; remove one"
    return f"{where}: {error.message}{_hint(error.instance)}"


def twice(names: Sequence[object]) -> list[str]:
    """The names that are there more than once."""
    return sorted({str(name) for name in names if names.count(name) > 1})


def _hint(value: object) -> str:
    """A hint to write 0.01 instead of 1e-2, which YAML 1.1 takes for text."""
    if not (isinstance(value, str) and SCIENTIFIC.fullmatch(value)):
        return ""
    return f", as YAML reads {value}; write {Decimal(value):f}"
