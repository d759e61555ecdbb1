"""A job has two descriptions: the schema that the host checks, and the worker's tuple."""

from types import NoneType
from typing import Union, get_args, get_origin, get_type_hints

import pytest

from trainmark.study import axes, case_settings, planned_run
from trainmark.study.code import digest
from trainmark.study.config import schemas
from trainmark.study.plan import RESOLVED
from worker.job import Job

SCHEMA = schemas.load("job")
STUDY = schemas.load("config")["$defs"]
TYPES = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": NoneType,
}
HINTS = get_type_hints(Job)


def of_schema(value):
    """The types that a value may have, in Python's words."""
    if "$ref" in value:
        return of_schema(STUDY[value["$ref"].removeprefix("#/$defs/")])
    if "enum" in value:
        return {type(choice) for choice in value["enum"]}
    names = value["type"]
    return {TYPES[name] for name in ([names] if isinstance(names, str) else names)}


def of_hint(hint):
    """The same of an annotation."""
    parts = get_args(hint) if get_origin(hint) is Union else [hint]
    return {get_origin(part) or part for part in parts}


def test_a_job_has_the_names_of_its_schema_and_needs_all_of_them():
    seen = [name for name in SCHEMA["properties"] if name not in axes.UNSEEN]
    assert list(Job._fields) == seen
    assert SCHEMA["required"] == list(SCHEMA["properties"])
    assert not Job._field_defaults


@pytest.mark.parametrize("name", Job._fields)
def test_a_value_of_a_job_has_the_type_that_its_schema_says(name):
    value = SCHEMA["properties"][name]
    assert of_hint(HINTS[name]) == of_schema(value)
    if "items" in value:
        assert set(get_args(HINTS[name])) == of_schema(value["items"])


@pytest.mark.parametrize("part", ["framework", "case", "changes", "where"])
def test_what_a_study_says_of_a_run_goes_into_its_job_as_it_is(part):
    settings = dict(STUDY[part]["properties"])
    for name in RESOLVED:
        settings.pop(name, None)
    for name, value in settings.items():
        assert of_schema(value) <= of_schema(SCHEMA["properties"][name]), name


@pytest.mark.parametrize(
    "names",
    [
        set(schemas.case_settings()) - set(RESOLVED),
        set(planned_run.REFERENCE_SETTINGS),
        set(digest.RUN_SETTINGS),
        set(case_settings.SETTINGS) - {"asked_steps"},
        set(axes.PLACE) - set(axes.UNSEEN),
    ],
    ids=["case", "reference", "code", "settings table", "axes"],
)
def test_settings_that_the_host_picks_are_a_jobs(names):
    assert names <= set(Job._fields)
