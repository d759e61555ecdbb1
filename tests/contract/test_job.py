"""A job has two descriptions: its schema, from the table of settings, and the worker's tuple."""

from types import NoneType
from typing import Union, get_args, get_origin, get_type_hints

import pytest
from examples import LENET_RUN
from jsonschema import Draft202012Validator

from trainmark.study import axes, case_settings, digest, planned_run, settings_rows
from trainmark.study.config import schemas
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
    if "anyOf" in value:
        return set().union(*map(of_schema, value["anyOf"]))
    if "const" in value:
        return {type(value["const"])}
    if "$ref" in value:
        return of_schema(STUDY[value["$ref"].removeprefix("#/$defs/")])
    if "enum" in value:
        return {type(choice) for choice in value["enum"]}
    names = value["type"]
    return {TYPES[name] for name in ([names] if isinstance(names, str) else names)}


def of_hint(hint):
    """The types that an annotation allows."""
    parts = get_args(hint) if get_origin(hint) is Union else [hint]
    return {get_origin(part) or part for part in parts}


def test_a_job_has_the_names_of_its_schema_and_needs_all_of_them():
    of_workers = [name for name in SCHEMA["properties"] if name not in axes.HOST_DEFAULTS]
    assert list(Job._fields) == of_workers
    assert SCHEMA["required"] == list(SCHEMA["properties"])
    assert not Job._field_defaults


@pytest.mark.parametrize("name", Job._fields)
def test_a_value_of_a_job_has_the_type_that_its_schema_says(name):
    value = SCHEMA["properties"][name]
    assert of_hint(HINTS[name]) == of_schema(value)
    for choice in value.get("anyOf", [value]):
        if "items" in choice:
            assert set(get_args(HINTS[name])) == of_schema(choice["items"])


@pytest.mark.parametrize("part", ["framework", "case", "changes", "where"])
def test_what_a_study_says_of_a_run_goes_into_its_job_as_it_is(part):
    settings = dict(STUDY[part]["properties"])
    names = {"releases", *(setting.name for setting in case_settings.SETTINGS)}
    for name in names - set(case_settings.IN_JOB):
        settings.pop(name, None)  # of which the host makes others
    for name, value in settings.items():
        assert of_schema(value) <= of_schema(SCHEMA["properties"][name]), name


@pytest.mark.parametrize(
    "names",
    [
        set(case_settings.IN_JOB),
        set(planned_run.REFERENCE_SETTINGS),
        set(digest.RUN_SETTINGS),
        set(settings_rows.COLUMNS) - {"requested_steps"},
        set(axes.KEY) - set(axes.HOST_DEFAULTS),
    ],
    ids=["case", "reference", "code", "settings table", "axes"],
)
def test_settings_that_the_host_picks_are_a_jobs(names):
    assert names <= set(Job._fields)


@pytest.mark.parametrize("name", case_settings.UNUSED)
def test_a_record_from_before_a_setting_reads_as_a_run_that_it_does_not_concern(name):
    older = {key: value for key, value in LENET_RUN.items() if key != name}
    job = case_settings.of_record(older)
    assert job[name] == case_settings.UNUSED[name]
    Draft202012Validator(SCHEMA).validate(job)
    assert case_settings.of_record(LENET_RUN) == LENET_RUN


@pytest.mark.parametrize("setting", case_settings.SETTINGS, ids=lambda setting: setting.name)
def test_what_the_table_says_of_a_setting_is_something_that_is_done_with_it(setting):
    concerns = {None, case_settings.UPDATES, case_settings.CORRUPTIONS, case_settings.ATTACKS}
    assert setting.of in concerns
    assert setting.shown in {None, case_settings.ALWAYS, case_settings.CHANGED}
