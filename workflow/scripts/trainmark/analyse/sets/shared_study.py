"""The study in an archive: complete, so that `--configfile study.json` repeats it elsewhere."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from trainmark.runs.formats import Record
from trainmark.study import stages

FILE = "study.json"
LOCAL = ("machine", "machines", "baseline", "others", "phones", "logs")
"""Keys of a complete study that are about the machine that measures it, and its files."""


def text(config: Mapping[str, Any]) -> str:
    """The content of FILE, from a complete study.

    What an optimiser needs is left out where no stage updates weights, as studies may not have it.
    """
    is_updating = any(map(stages.updates_weights, config["stages"]))
    needless = () if is_updating else stages.NO_UPDATE
    cases = {
        case: {name: value for name, value in settings.items() if name not in needless}
        for case, settings in config["cases"].items()
    }
    shared = {name: value for name, value in config.items() if name not in LOCAL}
    return json.dumps({**shared, "cases": cases}, indent=1) + "\n"


def is_of(content: bytes, records: Iterable[Record]) -> bool:
    """Whether a FILE, of whatever origin, is a study of some runs, by name, cases and networks.

    A study with keys of a machine isn't, as it would be run on others.
    """
    try:
        study = json.loads(content)
        names = {(study["study"], case, each["network"]) for case, each in study["cases"].items()}
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return False
    if any(name in study for name in LOCAL):
        return False
    jobs = (record["job"] for record in records)
    return {(job["study"], job["case"], job["network"]) for job in jobs} <= names
