"""Formats of a run's record: their numbers, and the step from each to the next.

A number stands for all files of a run: run.json, and the events in its logs. Whoever changes what
they hold adds one to FORMAT and a step to STEPS. tests/data/study is of format 1.
"""

from collections.abc import Callable
from typing import Any

from trainmark.errors import TrainmarkError
from trainmark.study import case_settings

FORMAT = 2

Record = dict[str, Any]
"""The content of a run.json."""


class NewerFormat(TrainmarkError):
    """Results of a later version than this one."""


def upgraded(record: Record, place: str) -> Record:
    """A record as the present format has it; raises NewerFormat."""
    number = record.get("format", 1)
    if not isinstance(number, int) or not 1 <= number <= FORMAT:
        raise NewerFormat(
            f"{place} is of format {number}, which this trainmark can't read (it knows formats up "
            f"to {FORMAT}): use a later one"
        )
    for step in STEPS[number - 1 :]:
        record = step(record)
    return record


def _with_digests(record: Record) -> Record:
    """Format 2 has digests of the files beside the record, and every setting of the job."""
    origin = {"nodes": [], "batch": None, "data_copy": None, **record["provenance"]}
    job = case_settings.of_record(record["job"])
    return {**record, "format": 2, "files": {}, "job": job, "provenance": origin}


STEPS: tuple[Callable[[Record], Record], ...] = (_with_digests,)
"""The step from format 1 to 2, and so on."""
