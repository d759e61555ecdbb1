"""The settings of a case: one table, `case` in workflow/schemas/config.schema.json.

Its properties have each setting's name, JSON Schema, default and description. Under `setting` an
entry says what is done with it, see Setting. The schemas, the plan, the documents, the table of
settings and comparisons take the settings from here. The worker has a typed view of its own,
worker/job.py; tests/contract/test_job.py keeps it in step.
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
"""In place of a value that every run needs from its case."""


class Setting(NamedTuple):
    """One setting.

    Attributes:
        name: as a case, a job and a table have it.
        value: JSON Schema of its value in a case, with its description.
        default: its value in a case that doesn't have it, or NEEDED.
        unused: its value in a run that it does not concern; where the table has none, the default.
        of: what alone it concerns, UPDATES of weights, CORRUPTIONS or ATTACKS; None: any run.
        in_job: whether a worker sees it. Else the plan makes other settings of it, or it concerns
            the host alone.
        in_reference: whether a run's parity reference depends on it.
        override: whether a study's overrides may set it.
        shown: whether the table of settings has it, ALWAYS or where a case has CHANGED the default.

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
NAMES = tuple(setting.name for setting in SETTINGS)
IN_JOB = tuple(setting.name for setting in SETTINGS if setting.in_job)
IN_REFERENCE = tuple(setting.name for setting in SETTINGS if setting.in_reference)
UNUSED = {
    setting.name: setting.unused
    for setting in SETTINGS
    if setting.in_job and setting.unused is not NEEDED
}
"""The settings that not every run needs, as they are in a run without."""
ABSENT = {name: value for name, value in UNUSED.items() if value is None}


def unused(of: str) -> dict[str, Any]:
    """The settings of updates, corruptions or attacks, as runs without any have them."""
    return {setting.name: setting.unused for setting in SETTINGS if setting.of == of}


def of_record(job: Mapping[str, Any]) -> dict[str, Any]:
    """The job in a run.json, complete with the settings that are newer than the record.

    Each of these has the value of a run that it does not concern.
    """
    return {**axes.UNSEEN, **copy.deepcopy(UNUSED), **job}


def job_schemas() -> dict[str, Any]:
    """JSON Schema of each setting's value in a job: that of a case, or the unused one."""
    return {setting.name: _in_job(setting) for setting in SETTINGS if setting.in_job}


def override_schemas() -> dict[str, Any]:
    """JSON Schema of each setting's value in overrides."""
    return {setting.name: dict(setting.value) for setting in SETTINGS if setting.override}


def _in_job(setting: Setting) -> dict[str, Any]:
    if setting.unused == setting.default:
        return dict(setting.value)
    return {"anyOf": [dict(setting.value), {"const": setting.unused}]}
