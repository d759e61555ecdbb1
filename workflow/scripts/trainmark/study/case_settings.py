"""The settings of a case: one table, `case` in workflow/schemas/config.schema.json.

Its properties have each setting's name, JSON Schema, default and description. The key `setting` of
an entry has the further attributes of Setting. The schemas, the plan, the documents, the table of
settings and comparisons take the settings from here. The worker has a typed view of its own,
worker/job.py; tests/contract/test_job.py checks that both agree.
"""

import copy
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from trainmark.study import axes, plugins

SCHEMAS = plugins.SCRIPTS.parent / "schemas"
UPDATES, CORRUPTIONS, ATTACKS = "updates", "corruptions", "attacks"
ALWAYS, CHANGED = "always", "changed"
NEEDED: Any = object()
"""The default of a setting that has none: every case must set it."""


class Setting(NamedTuple):
    """One setting.

    Attributes:
        name: its name in a case, a job and a table.
        value: JSON Schema of its value in a case, with its description.
        default: its value in a case that doesn't set it, or NEEDED.
        unused: its value in a run that doesn't use it; by default, the same as `default`.
        of: the only runs that use it: UPDATES of weights, CORRUPTIONS or ATTACKS; None: all runs.
        in_job: whether a worker sees it. If not, the plan derives other settings from it, or only
            the host uses it.
        in_reference: whether a run's parity reference depends on it.
        override: whether a study's overrides may set it.
        shown: when the table of settings has it: ALWAYS, or if a case has CHANGED the default; or
            None.

    """

    name: str
    value: Mapping[str, Any]
    default: Any
    unused: Any
    of: str | None = None
    in_job: bool = True
    in_reference: bool = False
    override: bool = False
    shown: str | None = None


def _read() -> tuple[Setting, ...]:
    text = (SCHEMAS / "config.schema.json").read_text(encoding="utf-8")
    entries = json.loads(text)["$defs"]["case"]["properties"]
    return tuple(_setting(name, entry) for name, entry in entries.items())


def _setting(name: str, entry: Mapping[str, Any]) -> Setting:
    value = {key: rule for key, rule in entry.items() if key not in ("default", "setting")}
    default = entry.get("default", NEEDED)
    return Setting(name, value, default, **{"unused": default, **entry.get("setting", {})})


SETTINGS = _read()
IN_JOB = tuple(setting.name for setting in SETTINGS if setting.in_job)
IN_REFERENCE = tuple(setting.name for setting in SETTINGS if setting.in_reference)
UNUSED = {
    setting.name: setting.unused
    for setting in SETTINGS
    if setting.in_job and setting.unused is not NEEDED
}
"""The values of settings in runs that don't use them; only settings with such a value."""
ABSENT = {name: value for name, value in UNUSED.items() if value is None}


def unused(of: str) -> dict[str, Any]:
    """The settings of updates, corruptions or attacks, with their values in runs without any."""
    return {setting.name: setting.unused for setting in SETTINGS if setting.of == of}


def of_record(job: Mapping[str, Any]) -> dict[str, Any]:
    """The job in a run.json, complete with the settings that are newer than the record.

    These have the value of runs that don't use them.
    """
    return {**axes.HOST_DEFAULTS, **copy.deepcopy(UNUSED), **job}


def job_schemas() -> dict[str, Any]:
    """JSON Schema of each setting's value in a job: a case's value, or the unused value."""
    return {setting.name: _in_job(setting) for setting in SETTINGS if setting.in_job}


def override_schemas() -> dict[str, Any]:
    """JSON Schema of each setting's value in overrides."""
    return {setting.name: dict(setting.value) for setting in SETTINGS if setting.override}


def _in_job(setting: Setting) -> dict[str, Any]:
    if setting.unused == setting.default:
        return dict(setting.value)
    return {"anyOf": [dict(setting.value), {"const": setting.unused}]}
